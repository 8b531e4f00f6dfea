import { z } from 'zod'
import { type Result, err, ok } from '../src-shared/result'
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
import { findBadReferences } from './data/references'

/** What a practice service starts with. `DATA.md` describes it for people. */
export const DataShape = z.strictObject({
  /** For editors: `resources/practice/data.schema.json`. */
  $schema: z.string().optional(),
  format: z.literal('countertag-practice-data'),
  version: z.literal(1),
  /** Host of the printed codes: `<tag_url>/<TagID>` and `<tag_url>/case/<identifier>`. */
  tag_url: z
    .url({ protocol: /^https?$/ })
    .refine((url) => !url.endsWith('/'), { message: 'must not end with a slash' }),
  /** Seconds that an access token lives. Spec: Limits. */
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

/** The whole file: every field is right, and everything it refers to is in it. */
export const DataFile = DataShape.superRefine((data, context) => {
  for (const { path, message } of findBadReferences(data)) context.addIssue({ code: 'custom', path, message })
})
export type DataFile = z.infer<typeof DataFile>

const shown = 5

/**
 * Reads the text of a data file. The error is one sentence for a person, with the path of each thing that is wrong
 * (`batches[2].packaged_products[0].product_uuid`), the first five of them.
 */
export function parseDataFile(text: string): Result<DataFile, string> {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    return err(`it is not JSON (${cause instanceof Error ? cause.message : String(cause)})`)
  }
  const parsed = DataFile.safeParse(json)
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
