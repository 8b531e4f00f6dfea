import type { Refusal } from '../http/answers'
import { wrongField } from '../http/wire-fields'
import type { Store } from '../store/query'
import { type PackagedRecord, createPackagedTable } from './batches'
import { createCoaCheck } from './coas'
import { createProductTable } from './products'

/** What a request says of a packaged product. */
interface Named {
  product_uuid?: string | undefined
  digital_coa_uuids?: string[] | undefined
}

/** Why a packaged product may not be made, changed or deleted: undefined when it may. Spec: Packaged product. */
export function createPackagingRules(store: Store) {
  const products = createProductTable(store)
  const packaged = createPackagedTable(store)
  const unknownCoas = createCoaCheck(store)

  return {
    /** Product and COAs are there, and of the caller's company. */
    references({ product_uuid, digital_coa_uuids = [] }: Named, companyUuid: string): Refusal | undefined {
      if (product_uuid !== undefined && products.find(product_uuid, companyUuid) === undefined) {
        return wrongField('product_uuid', 'This product does not exist.')
      }
      const [unknown] = unknownCoas(digital_coa_uuids, companyUuid)
      return unknown === undefined
        ? undefined
        : wrongField('digital_coa_uuids', `Digital COA ${unknown} does not exist.`)
    },
    /** What items were sold as must not become another product. */
    change(record: PackagedRecord, { product_uuid = record.product_uuid }: Named): Refusal | undefined {
      if (product_uuid === record.product_uuid || !packaged.hasTagIds(record.uuid)) return undefined
      return wrongField('product_uuid', 'TagIDs carry this packaged product: its product cannot be changed.')
    },
    deletion: (record: PackagedRecord): Refusal | undefined =>
      packaged.hasTagIds(record.uuid)
        ? { body: { detail: 'TagIDs carry this packaged product: it cannot be deleted.' } }
        : undefined,
  }
}
