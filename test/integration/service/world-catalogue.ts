import { id } from '../../../scripts/practice-data/ids'

/** The catalogue of the test world: a maker with a brand in each state that has fields of its own, and a rival. */

export const moment = '2026-09-01T12:00:00Z'
export const ids = (kind: string) => (name: string) => id(`conformance ${kind}`, name)
const brandId = ids('brand')
const productId = ids('product')
const packagedId = ids('packaged')
const batchId = ids('batch')
const coaId = ids('coa')
const labId = ids('laboratory')

export const companies = {
  maker: ids('company')('maker'),
  rival: ids('company')('rival'),
  shop: ids('company')('shop'),
  stranger: ids('company')('stranger'),
}
export const brands = { nj: brandId('nj'), az: brandId('az'), mo: brandId('mo'), rival: brandId('rival') }
export const products = {
  flower: productId('flower'),
  gummies: productId('gummies'),
  heavy: productId('heavy'),
  approved: productId('approved'),
  rival: productId('rival'),
}
export const packaged = { flower: packagedId('flower'), gummies: packagedId('gummies'), rival: packagedId('rival') }
export const batches = { flower: batchId('flower'), gummies: batchId('gummies'), rival: batchId('rival') }
export const coas = { batch: coaId('batch'), package: coaId('package') }
export const laboratory = labId('lab')
/** More than one page of products. */
export const fillers = Array.from({ length: 60 }, (_, n) => productId(`filler ${n}`))

const brand = (uuid: string, company_uuid: string, name: string, state: string) => ({
  uuid,
  company_uuid,
  name,
  state,
  slug: name.toLowerCase().replaceAll(' ', '-'),
  description: `${name}, grown with care.`,
  website: 'https://brand.example',
  address: '1 River Road\nHoboken, NJ 07030',
  updated_on: moment,
  picture: 'leaf.svg',
  reward_program_uuid: ids('reward')(name),
})
const measure = (value: string, unit: string) => ({ name: 'Measure', value, unit })
const product = (uuid: string, brand_uuid: string, name: string) => ({
  uuid,
  brand_uuid,
  sku: `SKU-${name}`,
  name,
  product_type: 'FLOWER',
  package_size: measure('3.5', 'gram'),
  updated_on: moment,
})
const effect = { name: 'Calm', description: 'Feels calm.', type: 'positive', effect: 'calm' }
const total = (name: string, value: string | null) => ({ name, value, unit: 'percentage' })
const testNames = [
  ...['cannabinoid_potency', 'filth_and_foreign_material', 'heavy_metals', 'homogeneity', 'microbials'],
  ...['moisture_content', 'mycotoxins', 'pesticides', 'residual_solvents', 'terpene_profiling', 'water_activity'],
  ...['ph', 'chemical_residue'],
].map((name) => `${name}_tests`)
const coa = (uuid: string, failing: string) => ({
  uuid,
  batch_uuid: batches.flower,
  laboratory_uuid: laboratory,
  sample_regulator_id: 'SAMPLE-1',
  batch_regulatory_id: 'BATCH-1',
  sample_received_on: moment,
  report_created_on: moment,
  report_expires_on: '2027-09-01T12:00:00Z',
  certificate_url: 'https://lab.example/coa.pdf',
  certificate_source_url: 'https://lab.example/source.pdf',
  totals: {
    total_active_cannabinoids: total('Active', '26.0'),
    total_potential_thc: total('Potential THC', '24.9'),
    total_thc: total('THC', '24.1'),
    total_potential_cbd: total('Potential CBD', '0.1'),
    total_cbd: total('CBD', '0.1'),
    total_terpenes: total('Terpenes', null),
  },
  tests_performed: Object.fromEntries(
    testNames.map((name, at) => [name, name === failing ? 'fail' : at % 2 ? 'pass' : 'not_tested']),
  ),
  sample_tested_on: '2026-08-30',
  certificate_received_on: '2026-08-31',
  entered_on: moment,
  tests_cannabinoids: { thc: { name: 'THC', value: '24.1', unit: 'percentage' } },
})

export const catalogueData = {
  brands: [
    brand(brands.nj, companies.maker, 'Hudson Fields', 'NJ'),
    {
      ...brand(brands.az, companies.maker, 'Desert Fields', 'AZ'),
      brand_video: { file: 'film.mp4', description: 'The farm', length_in_minutes: 2, video_source_link: '' },
    },
    { ...brand(brands.mo, companies.maker, 'Show-Me Fields', 'MO'), ingredient_printing: true },
    brand(brands.rival, companies.rival, 'Rival Farms', 'NJ'),
  ],
  products: [
    {
      ...product(products.flower, brands.nj, 'Flower'),
      description: '<p>Citrus &amp; pine.</p>',
      container_type: 'jar',
      published_on: '2026-08-01',
      available_on: '2026-08-02',
      added_on: moment,
      variety: 'HYB',
      strain: 'Blue Dune',
      chemotype: 'high_thc_low_cbd',
      product_line: 'Farm',
      upc: '036000291452',
      barcode: '036000291452',
      thc_cbd_ratio: '20:1',
      expected_total_thc: measure('24.1', 'percentage'),
      expected_total_cbd: measure('0.1', 'percentage'),
      tests_description: 'Tested by batch.',
      about_ingredients: 'Only flower.',
      testing_methodology: 'HPLC',
      usage_recommendation: 'Start low.',
      picture: 'leaf.svg',
    },
    {
      ...product(products.gummies, brands.nj, 'Gummies'),
      product_type: 'GUMMY',
      usage: 'M',
      variety: 'CBG_CBD_THC',
      servings: '10',
      serving_size: measure('5', 'gram'),
      pieces_per_package: 10,
      ingredients: [{ name: 'Sugar' }],
      additional_ingredients: 'Pectin',
      special_diet: ['Vegan'],
      allergen: ['Soy'],
      allergen_statement: 'Contains soy.',
      dosages: [{ name: 'Piece', quantity: 10, quantity_unit: { singular: 'piece', multiple: 'pieces' }, thc: 10 }],
      shelf_life: { value: 12, unit: 'months' },
      positive_effects: [effect],
      picture: 'leaf.svg',
    },
    { ...product(products.heavy, brands.az, 'Heavy'), gross_weight: measure('40', 'gram') },
    { ...product(products.approved, brands.mo, 'Approved'), product_packaging_approval_number: 'MO-7' },
    product(products.rival, brands.rival, 'Rival'),
    ...fillers.map((uuid, n) => product(uuid, brands.mo, `Filler ${n}`)),
  ],
  batches: [
    {
      uuid: batches.flower,
      name: 'BD-1',
      brand_uuid: brands.nj,
      regulatory_id: 'BATCH-1, BATCH-2',
      produced_on: moment,
      updated_on: moment,
      harvested_on: '2026-08-20',
      extraction_method: 'none',
      solvents: 'none',
      digital_coa_uuids: [coas.batch],
      packaged_products: [
        {
          uuid: packaged.flower,
          product_uuid: products.flower,
          regulatory_id: 'PACK-1',
          packaged_on: '2026-08-25',
          use_by: '2027-08-25',
          digital_coa_uuids: [coas.package],
        },
      ],
    },
    {
      uuid: batches.gummies,
      name: 'GU-1',
      brand_uuid: brands.nj,
      updated_on: moment,
      packaged_products: [{ uuid: packaged.gummies, product_uuid: products.gummies }],
    },
    {
      uuid: batches.rival,
      name: 'RI-1',
      brand_uuid: brands.rival,
      updated_on: moment,
      packaged_products: [{ uuid: packaged.rival, product_uuid: products.rival }],
    },
  ],
  laboratories: [
    {
      uuid: laboratory,
      name: 'Garden State Labs',
      logo_url: 'https://lab.example/logo.png',
      street_address_1: '12 Assay Street',
      street_address_2: 'Floor 2',
      city: 'Newark',
      state: 'NJ',
      postal_code: '07102',
    },
  ],
  digital_coas: [coa(coas.batch, ''), coa(coas.package, 'pesticides_tests')],
}
