import { z } from 'zod'
import { type Result, err, ok } from '../../src-shared/result'
import { BrandData } from '../data/catalogue'
import type { Refusal } from '../http/answers'
import type { Caller } from '../http/context'
import { wrongField } from '../http/wire-fields'
import { type Store, json, query } from '../store/query'

const Row = z.object({ body: json(BrandData) }).transform(({ body }) => body)

/** The brands of companies. */
export function createBrandTable(store: Store) {
  const all = query(store, 'SELECT body FROM brands WHERE company_uuid = ? ORDER BY rowid', Row)
  const find = query(store, 'SELECT body FROM brands WHERE uuid = ?', Row)
  return {
    list: (companyUuid: string) => all.all(companyUuid),
    /**
     * The brand that something new is for: the one that was asked for, else the account's default brand. Refused when
     * there is none; `forbidden` when it is of another company.
     */
    choose(asked: string | undefined, caller: Caller): Result<BrandData, Refusal | 'forbidden'> {
      const uuid = asked ?? caller.brandUuid
      if (uuid === null)
        return err(wrongField('brand_uuid', 'This field is required: the account has no default brand.'))
      const brand = find.get(uuid)
      if (brand === undefined) return err(wrongField('brand_uuid', 'This brand does not exist.'))
      return brand.company_uuid === caller.companyUuid ? ok(brand) : err('forbidden')
    },
    get: (uuid: string) => find.get(uuid),
  }
}
