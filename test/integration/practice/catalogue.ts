import type { DataFile } from '../../../src-practice/data-file'
import { toUuid } from '../../../src-shared/ids'
import type { PracticeService } from '../../../src-practice/start'
import { answerOf, brand, start, tokenOf } from './practice'
import { data, only } from './sample'

/** Clients: the practice store's sourcing account, one of another company, one of both products, one without a brand. */
export const sourcing = brand
export const otherSourcing = 'practice-other'
export const both = 'practice-both'
export const brandless = 'practice-brandless'

const hudson = only(
  data.brands.find(({ slug }) => slug === 'hudson-fields'),
  'Hudson Fields',
)
const ironbound = only(
  data.brands.find(({ slug }) => slug === 'ironbound'),
  'Ironbound',
)
const shopAccount = only(
  data.accounts.find(({ product }) => product === 'retail'),
  'retail account',
)

/** A second brand of the same company: of Missouri, with ingredient printing. */
const missouriId = '2222222222222222222MoM'
const arizonaId = '2222222222222222222AzA'

const account = (client_id: string, company_uuid: string, brand_uuid: string | null) => ({
  client_id,
  client_secret: `${client_id}-secret`,
  product: 'sourcing' as const,
  company_uuid,
  brand_uuid,
  dispensary_uuid: null,
})

export const catalogueData: DataFile = {
  ...data,
  accounts: [
    ...data.accounts,
    account(otherSourcing, ironbound.company_uuid, ironbound.uuid),
    account(brandless, hudson.company_uuid, null),
    { ...shopAccount, client_id: both, client_secret: `${both}-secret`, product: 'both' },
  ],
  brands: [
    ...data.brands,
    { ...hudson, uuid: missouriId, name: 'Hudson West', state: 'Missouri', ingredient_printing: true },
    { ...hudson, uuid: arizonaId, name: 'Hudson South', state: 'AZ' },
  ],
}

export const longId = (short: string) => only(toUuid(short), `UUID of ${short}`)

export const brands = {
  hudson: longId(hudson.uuid),
  missouri: longId(missouriId),
  arizona: longId(arizonaId),
  ironbound: longId(ironbound.uuid),
}

export const hudsonProducts = data.products.filter((one) => one.brand_uuid === hudson.uuid)
export const hudsonBatches = data.batches.filter((one) => one.brand_uuid === hudson.uuid)
export const foreignProduct = only(
  data.products.find((one) => one.brand_uuid === ironbound.uuid),
  'product of Ironbound',
)
export const foreignBatch = only(
  data.batches.find((one) => one.brand_uuid === ironbound.uuid),
  'batch of Ironbound',
)

export const startCatalogue = (options: Parameters<typeof start>[0] = {}) => start({ data: catalogueData, ...options })

/** A caller of `/api/v1.5` with a token of one account. */
export async function catalogueCaller(service: PracticeService, client: string) {
  const authorization = { Authorization: `Bearer ${await tokenOf(service, client)}` }
  const send = async (method: string, path: string, headers: Record<string, string> = {}, body?: BodyInit) =>
    answerOf(
      await fetch(`${service.baseUrl}/api/v1.5/${path}`, {
        method,
        headers: { ...authorization, ...headers },
        body: body ?? null,
      }),
    )
  const json = (method: string) => (path: string, body: unknown) =>
    send(method, path, { 'Content-Type': 'application/json' }, JSON.stringify(body))
  return {
    send,
    get: (path: string) => send('GET', path),
    post: json('POST'),
    put: json('PUT'),
    patch: json('PATCH'),
    delete: (path: string) => send('DELETE', path),
  }
}
export type CatalogueCaller = Awaited<ReturnType<typeof catalogueCaller>>

/** The least that makes a product. */
export const leastProduct = {
  name: 'Product',
  product_type: 'FLOWER',
  package_size: { name: '3.5 g', value: '3.5', unit: 'gram' },
}

const bytesOf = (part: string | number[]) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))
const base64 = (...parts: (string | number[])[]) => Buffer.concat(parts.map(bytesOf)).toString('base64')

/** Files of every type that is known, as Base64: no more than what they begin with. */
export const files = {
  png: base64([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]),
  jpeg: base64([0xff, 0xd8, 0xff, 0xe0, 0, 0x10]),
  gif: base64('GIF89a______'),
  webp: base64('RIFF____WEBPVP8 '),
  svg: base64(
    '<?xml version="1.0"?>\n<!-- drawn -->\n<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  ),
  mp4: base64([0, 0, 0, 0x18], 'ftypisom____'),
  webm: base64([0x1a, 0x45, 0xdf, 0xa3], '____'),
  pdf: base64('%PDF-1.7\n____'),
  html: base64('<!doctype html><script>alert(1)</script>'),
  text: base64('no file of any known type'),
}
