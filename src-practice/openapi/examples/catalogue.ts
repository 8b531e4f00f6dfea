import type { z } from 'zod'
import { toShortUuid } from '../../../src-shared/ids'
import type { BatchDetail, BatchV15, PackagedProductV15 } from '../../../src-shared/service/batches'
import type { BrandV15 } from '../../../src-shared/service/brands'
import type { DigitalCoaV15, TestingLaboratoryV15 } from '../../../src-shared/service/coas'
import type { ProductV15 } from '../../../src-shared/service/products'

/** The ids of the examples, in the long form of v1.5; each id means the same resource in all examples. */
export const ids = {
  company: 'c0a80101-0000-4000-8000-000000000001',
  dispensary: 'c0a80101-0000-4000-8000-000000000002',
  brand: 'c0a80101-0000-4000-8000-000000000003',
  product: 'c0a80101-0000-4000-8000-000000000004',
  batch: 'c0a80101-0000-4000-8000-000000000005',
  packaged: 'c0a80101-0000-4000-8000-000000000006',
  laboratory: 'c0a80101-0000-4000-8000-000000000007',
  coa: 'c0a80101-0000-4000-8000-000000000008',
  case: 'c0a80101-0000-4000-8000-000000000009',
  regulator: 'c0a80101-0000-4000-8000-00000000000a',
  tag: 'c0a80101-0000-4000-8000-00000000000b',
  asset: 'c0a80101-0000-4000-8000-00000000000c',
} as const

/** An id of v1.5 in the form of v1.2. */
export const short = (name: keyof typeof ids): string => toShortUuid(ids[name]) ?? ''

export const moment = '2026-10-05T14:30:00Z'
export const packageUid = '1A40E0300000D51000000417'
export const identifier = 'HF-2026-0417-03'

const picture = (name: string) => ({
  name,
  url: `https://media.example/${name}`,
  mime_type: 'image/png',
  size_bytes: 20_480,
  updated_on: moment,
})
const gram = (value: string) => ({ name: 'Net weight', value, unit: 'gram' })

export const brand = {
  uuid: ids.brand,
  name: 'Hudson Fields',
  company: 'Hudson Fields LLC',
  slug: 'hudson-fields',
  description: 'Sun-grown flower of the valley.',
  website: 'https://hudson-fields.example',
  updated_on: moment,
  state: 'NJ',
  country: 'US',
  images: { thumbnail: picture('brand-s.png'), primary: picture('brand.png'), banner: picture('brand-l.png') },
  brand_video: null,
  address: '1 River Road\nHoboken, NJ 07030',
} satisfies z.input<typeof BrandV15>

export const product = {
  uuid: ids.product,
  sku: 'HF-BD-35',
  name: 'Blue Dune 3.5 g',
  description: '<p>Citrus and pine.</p>',
  label_type: '',
  container_type: 'jar',
  published_on: '2026-09-01',
  available_on: '2026-09-01',
  discontinued_on: null,
  brand,
  product_type: 'FLOWER',
  usage: 'R',
  variety: 'HYB',
  strain: 'Blue Dune',
  chemotype: 'high_thc_low_cbd',
  package_size: gram('3.5'),
  thc_cbd_ratio: '20:1',
  expected_total_thc: { name: 'THC', value: '24.1', unit: 'percentage' },
  images: {
    thumbnail: picture('blue-dune-s.png'),
    primary: picture('blue-dune.png'),
    banner: picture('blue-dune-l.png'),
    supplemental: null,
  },
  is_published: true,
  updated_on: moment,
} satisfies z.input<typeof ProductV15>

export const batch = {
  uuid: ids.batch,
  name: 'BD-2026-09',
  regulatory_id: '1A40E0300000D51000000400',
  produced_on: moment,
  brand_uuid: ids.brand,
  updated_on: moment,
  digital_coa_uuids: [ids.coa],
} satisfies z.input<typeof BatchV15>

export const laboratory = {
  uuid: ids.laboratory,
  name: 'Garden State Labs',
  logo_url: 'https://media.example/lab.png',
  street_address_1: '12 Assay Street',
  street_address_2: '',
  city: 'Newark',
  state: 'NJ',
  postal_code: '07102',
} satisfies z.input<typeof TestingLaboratoryV15>

export const packagedProduct = {
  uuid: ids.packaged,
  product,
  regulatory_id: '1A40E0300000D51000000411',
  packaged_on: '2026-09-12',
  digital_coa_uuids: [ids.coa],
} satisfies z.input<typeof PackagedProductV15>

export const batchDetail = {
  ...batch,
  testing_laboratories: [laboratory],
  packaged_products: [
    { ...packagedProduct, batch_name: batch.name, harvested_on: '2026-08-30', extraction_method: '' },
  ],
} satisfies z.input<typeof BatchDetail>

const total = (name: string, value: string | null) => ({ name, value, unit: 'percentage' })

export const coa = {
  uuid: ids.coa,
  batch_uuid: ids.batch,
  testing_laboratory: laboratory,
  sample_regulator_id: '1A40E0300000D51000000402',
  batch_regulatory_id: batch.regulatory_id,
  sample_received_on: moment,
  report_created_on: moment,
  report_expires_on: '2027-10-05T14:30:00Z',
  certificate_url: 'https://media.example/coa.pdf',
  certificate_source_url: 'https://lab.example/coa.pdf',
  totals: { total_thc: total('Total THC', '24.1'), total_terpenes: total('Total terpenes', null) },
  tests_performed: { cannabinoid_potency_tests: 'pass', homogeneity_tests: 'not_tested' },
  sample_tested_on: '2026-10-04',
  certificate_received_on: '2026-10-05',
  entered_on: moment,
  tests_cannabinoids: { thc: { name: 'THC', value: '24.1', unit: 'percentage' } },
  tests_pesticides: {},
} satisfies z.input<typeof DigitalCoaV15>
