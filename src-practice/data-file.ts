import { z } from 'zod'
import { err, ok, type Result } from '../src-shared/result'
import { BatchData, BrandData, LaboratoryData, ProductData } from './data/catalogue'
import { CoaData } from './data/coas'
import { list } from './data/fields'
import {
  AccountData,
  AssetData,
  CollectionData,
  CompanyData,
  DispensaryData,
  ImportData,
  TagIdData,
} from './data/people'

type Data = z.infer<typeof DataShape>
type Path = (string | number)[]
type KnownIds = ReadonlySet<string>

/** A reference in the data file to something that is missing or defined twice. */
interface BadReference {
  path: Path
  message: string
}

/** Collects the errors. */
class Findings {
  readonly found: BadReference[] = []

  report(path: Path, message: string): void {
    this.found.push({ path, message })
  }

  /** The ids of a list, each of which may occur once. */
  unique(ids: readonly string[], pathOf: (index: number) => Path): KnownIds {
    const seen = new Set<string>()
    for (const [index, id] of ids.entries()) {
      if (seen.has(id)) this.report(pathOf(index), `is there twice (${id})`)
      seen.add(id)
    }
    return seen
  }

  need(known: KnownIds, id: string | null, what: string, ...path: Path): void {
    if (id !== null && !known.has(id)) this.report(path, `no ${what} ${id} in this file`)
  }
}

/** Errors of a data file beyond the form of its fields. */
function findBadReferences(data: Data): BadReference[] {
  const findings = new Findings()
  const idsOf = (name: 'companies' | 'dispensaries' | 'brands' | 'products' | 'tag_ids' | 'collections' | 'assets') =>
    findings.unique(
      data[name].map(({ uuid }) => uuid),
      (at) => [name, at, 'uuid'],
    )
  const companies = idsOf('companies')
  const dispensaries = idsOf('dispensaries')
  const brands = idsOf('brands')
  const products = idsOf('products')
  idsOf('assets')
  checkAttachments(data, findings)
  checkPeople(data, findings, companies, dispensaries, brands)
  const packaged = checkCatalogue(data, findings, brands, products)
  const tags = idsOf('tag_ids')
  for (const [at, { packaged_product_uuid: id }] of data.tag_ids.entries()) {
    findings.need(packaged, id, 'packaged product', 'tag_ids', at, 'packaged_product_uuid')
  }
  idsOf('collections')
  checkCollections(data, findings, { companies, dispensaries, products, tags })
  checkImports(data, findings, dispensaries)
  return findings.found
}

function checkPeople(
  data: Data,
  findings: Findings,
  companies: KnownIds,
  dispensaries: KnownIds,
  brands: KnownIds,
): void {
  for (const name of ['dispensaries', 'brands', 'assets', 'accounts'] as const) {
    for (const [at, one] of data[name].entries()) {
      findings.need(companies, one.company_uuid, 'company', name, at, 'company_uuid')
    }
  }
  const clientIds = data.accounts.map(({ client_id }) => client_id)
  findings.unique(clientIds, (at) => ['accounts', at, 'client_id'])
  for (const [at, one] of data.accounts.entries()) {
    findings.need(brands, one.brand_uuid, 'brand', 'accounts', at, 'brand_uuid')
    findings.need(dispensaries, one.dispensary_uuid, 'dispensary', 'accounts', at, 'dispensary_uuid')
  }
}

/** Products may only carry assets of the type for the place. */
function checkAttachments(data: Data, findings: Findings): void {
  const places = { supplemental_photos: 'images', videos: 'videos', documents: 'files' } as const
  for (const field of ['supplemental_photos', 'videos', 'documents'] as const) {
    const type = places[field]
    const known = new Set(data.assets.filter(({ asset_type }) => asset_type === type).map(({ uuid }) => uuid))
    for (const [at, product] of data.products.entries()) {
      for (const [n, id] of product[field].entries()) {
        findings.need(known, id, `asset of ${type}`, 'products', at, field, n)
      }
    }
  }
}

/** Returns the packaged products. */
function checkCatalogue(data: Data, findings: Findings, brands: KnownIds, products: KnownIds): KnownIds {
  const ids = (name: 'batches' | 'laboratories' | 'digital_coas') =>
    findings.unique(
      data[name].map(({ uuid }) => uuid),
      (at) => [name, at, 'uuid'],
    )
  const batches = ids('batches')
  const laboratories = ids('laboratories')
  const coas = ids('digital_coas')
  const needCoas = (uuids: string[], ...path: Path) => {
    for (const [n, id] of uuids.entries()) findings.need(coas, id, 'COA', ...path, 'digital_coa_uuids', n)
  }
  for (const [at, one] of data.products.entries()) {
    findings.need(brands, one.brand_uuid, 'brand', 'products', at, 'brand_uuid')
  }
  for (const [at, batch] of data.batches.entries()) {
    findings.need(brands, batch.brand_uuid, 'brand', 'batches', at, 'brand_uuid')
    needCoas(batch.digital_coa_uuids, 'batches', at)
    for (const [n, one] of batch.packaged_products.entries()) {
      const path = ['batches', at, 'packaged_products', n]
      findings.need(products, one.product_uuid, 'product', ...path, 'product_uuid')
      needCoas(one.digital_coa_uuids, ...path)
    }
  }
  for (const [at, one] of data.digital_coas.entries()) {
    findings.need(batches, one.batch_uuid, 'batch', 'digital_coas', at, 'batch_uuid')
    findings.need(laboratories, one.laboratory_uuid, 'laboratory', 'digital_coas', at, 'laboratory_uuid')
  }
  const packaged = data.batches.flatMap((batch, at) =>
    batch.packaged_products.map(({ uuid }, n) => ({ uuid, path: ['batches', at, 'packaged_products', n, 'uuid'] })),
  )
  return findings.unique(
    packaged.map(({ uuid }) => uuid),
    (index) => packaged[index]?.path ?? [],
  )
}

const tagOf = (member: Data['collections'][number]['members'][number]) =>
  typeof member === 'string' ? member : member.tag_id

function checkCollections(
  data: Data,
  findings: Findings,
  known: Record<'companies' | 'dispensaries' | 'products' | 'tags', KnownIds>,
): void {
  for (const [at, one] of data.collections.entries()) {
    const path = ['collections', at]
    findings.need(known.companies, one.company_uuid, 'company', ...path, 'company_uuid')
    findings.need(known.dispensaries, one.dispensary_uuid, 'dispensary', ...path, 'dispensary_uuid')
    findings.need(known.products, one.required_product_uuid, 'product', ...path, 'required_product_uuid')
    const members = one.members.map(tagOf)
    const removed = one.removed_members.map(tagOf)
    const pathOf = (index: number) =>
      index < members.length
        ? [...path, 'members', index]
        : [...path, 'removed_members', index - members.length, 'tag_id']
    findings.unique([...members, ...removed], pathOf)
    for (const [index, id] of [...members, ...removed].entries()) {
      findings.need(known.tags, id, 'TagID', ...pathOf(index))
    }
    for (const [n, member] of one.members.entries()) {
      const company = typeof member === 'string' ? null : member.added_by_company_uuid
      findings.need(known.companies, company, 'company', ...path, 'members', n, 'added_by_company_uuid')
    }
    for (const [n, member] of one.removed_members.entries()) {
      for (const field of ['added_by_company_uuid', 'removed_by_company_uuid'] as const) {
        findings.need(known.companies, member[field], 'company', ...path, 'removed_members', n, field)
      }
    }
  }
}

/** An import is for a packaged product that the case holds, and an item is imported at most once. */
function checkImports(data: Data, findings: Findings, dispensaries: KnownIds): void {
  const cases = data.collections.filter((one) => one.collection_type === 'case')
  const productOf = new Map(data.tag_ids.map((tag) => [tag.uuid, tag.packaged_product_uuid]))
  const imported = new Set<string>()
  for (const [at, one] of data.imports.entries()) {
    const path = ['imports', at]
    findings.need(dispensaries, one.dispensary_uuid, 'dispensary', ...path, 'dispensary_uuid')
    const holder = cases.find(({ uuid }) => uuid === one.case_uuid)
    if (holder === undefined) {
      findings.report([...path, 'case_uuid'], `no case ${one.case_uuid} in this file`)
      continue
    }
    const items = holder.members.map(tagOf).filter((id) => productOf.get(id) === one.packaged_product_uuid)
    if (items.length === 0) findings.report([...path, 'packaged_product_uuid'], 'the case holds no item of it')
    if (items.some((id) => imported.has(id))) findings.report([...path, 'case_uuid'], 'its items are imported already')
    for (const id of items) imported.add(id)
  }
}

/** The initial data of a practice service. `DATA.md` describes it for people. */
const DataShape = z.strictObject({
  /** For editors: `resources/practice/data.schema.json`. */
  $schema: z.string().optional(),
  format: z.literal('countertag-practice-data'),
  version: z.literal(1),
  /** Host of the printed codes: `<tag_url>/<TagID>` and `<tag_url>/case/<identifier>`. */
  tag_url: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !url.endsWith('/'), { message: 'must not end with a slash' }),
  /** Lifetime of an access token, in seconds. Spec: Limits. */
  expires_in: z.number().int().positive().default(36_000),
  companies: list(CompanyData),
  dispensaries: list(DispensaryData),
  accounts: list(AccountData),
  brands: list(BrandData),
  products: list(ProductData),
  batches: list(BatchData),
  laboratories: list(LaboratoryData),
  digital_coas: list(CoaData),
  tag_ids: list(TagIdData),
  collections: list(CollectionData),
  imports: list(ImportData),
  assets: list(AssetData),
})

/** The whole file: all fields are valid, and all references lead to something in the file. */
export const DataFile = DataShape.superRefine((data, context) => {
  for (const { path, message } of findBadReferences(data)) context.addIssue({ code: 'custom', path, message })
})
export type DataFile = z.infer<typeof DataFile>

const DataUsers = z.object({ dispensaries: list(DispensaryData), accounts: list(AccountData) })
type DataUsers = z.infer<typeof DataUsers>

const shown = 5

/**
 * Parses the text of a data file. The error is one sentence for a person, with the path of each mistake
 * (`batches[2].packaged_products[0].product_uuid`), at most five of them.
 */
export const parseDataFile = (text: string): Result<DataFile, string> => parseAs(DataFile, text)

/** Parses who uses the service, without looking at the rest: enough if the data is in the database already. */
export const parseUsers = (text: string): Result<DataUsers, string> => parseAs(DataUsers, text)

function parseAs<T>(schema: z.ZodType<T>, text: string): Result<T, string> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    return err(`it is not JSON (${cause instanceof Error ? cause.message : String(cause)})`)
  }
  // A file is read once: compiling a parser for each kind of object would take longer than reading all of them.
  const parsed = schema.safeParse(json, { jitless: true })
  if (parsed.success) return ok(parsed.data)
  const { issues } = parsed.error
  const listed = issues.slice(0, shown).map(({ path, message }) => `${pathText(path)}: ${message}`)
  const more = issues.length > shown ? `; and ${issues.length - shown} more` : ''
  return err(`${listed.join('; ')}${more}`)
}

function pathText(path: PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
  return text === '' ? 'the file' : text.replace(/^\./, '')
}

/**
 * The JSON Schema of the data file, for editors and other tools. It covers the form of each field; only the service
 * checks references.
 */
export const dataSchema = () => ({
  title: 'Data file of the practice service',
  ...z.toJSONSchema(DataShape, { io: 'input', target: 'draft-2020-12' }),
})
