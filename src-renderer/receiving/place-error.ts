import type { AppError } from '../../src-shared/errors'
import { explain } from '../messages/errors'
import type { Text } from '../messages/text.svelte'

export type ImportField = 'packageUid' | 'posProductId' | 'posInventoryId' | 'sku'

/** The names under which the service and the contract know what the form asks for. Spec: Import request. */
const fieldOf: Record<string, ImportField> = {
  package_uid: 'packageUid',
  pos_product_id: 'posProductId',
  pos_inventory_id: 'posInventoryId',
  sku: 'sku',
  packageUid: 'packageUid',
  posProductId: 'posProductId',
  posInventoryId: 'posInventoryId',
}

const productNames = new Set(['packaged_product_uuid', 'packagedProductId'])

/** A failure of an import, at the things it concerns. */
export interface PlacedError {
  fields: Partial<Record<ImportField, Text>>
  /** About the choice of the packaged product. */
  product: Text | null
  /** About the case as a whole. */
  rest: AppError | null
}

export const nothingWrong: PlacedError = { fields: {}, product: null, rest: null }

/** Puts a failure beside what it concerns: a field, the choice of the product, or the case. */
export function placeError(error: AppError): PlacedError {
  if (error.code === 'service/package-unknown') {
    return { ...nothingWrong, fields: { packageUid: explain(error).what } }
  }
  if (error.code === 'service/invalid-fields') {
    const named = Object.entries(error.fields).map(([name, words]): Named => [name, serviceSays(words.join(' '))])
    return place(named, error)
  }
  if (error.code === 'ipc/invalid-input') {
    return place(
      error.issues.map(({ path }): Named => [path, { key: 'receiving.field.invalid' }]),
      error,
    )
  }
  return { ...nothingWrong, rest: error }
}

type Named = [name: string, text: Text]

const serviceSays = (words: string): Text => ({ key: 'receiving.field.service-says', values: { words } })

function place(named: Named[], error: AppError): PlacedError {
  const placed: PlacedError = { fields: {}, product: null, rest: null }
  for (const [name, text] of named) {
    const field = fieldOf[name]
    if (field) placed.fields[field] = text
    else if (productNames.has(name)) placed.product = text
    else placed.rest = error
  }
  return placed
}
