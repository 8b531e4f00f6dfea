import type { DataFile } from '../../../src-practice/data-file'
import { toShortUuid } from '../../../src-shared/ids'
import { data, delivery, packagedProduct } from './sample'

/** The practice data with many TagIDs: made, not parsed, for parsing is not what it is for. */

const idOf = (kind: number, number: number) =>
  toShortUuid(`0000000${kind}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`) ?? ''

const [sample] = data.collections
if (sample === undefined) throw new Error('The practice data has no collections')
const products = ['HF-BD-35', 'HF-GS-5PK', 'HF-HG-7'].map((sku) => packagedProduct(sku).uuid)

/** TagIDs `0..count-1` in cases of `size`, and each case in a package of its own. */
export const largeData = (count: number, size: number): DataFile => {
  const tags = Array.from({ length: count }, (_, at) => idOf(1, at))
  const groups = Array.from({ length: Math.ceil(count / size) }, (_, at) => tags.slice(at * size, (at + 1) * size))
  const made = { name: '', sub_type: '', removed_members: [], required_items_per_caseid: null }
  return {
    ...data,
    tag_ids: [
      ...data.tag_ids,
      ...tags.map((uuid, at) => ({
        uuid,
        created: '2026-09-01T08:00:00Z',
        packaged_product_uuid: products[at % products.length] ?? null,
        paired_on: null,
        claimed_on: null,
        claimed_by_user_uuid: null,
        counterfeit_on: null,
      })),
    ],
    collections: [
      ...data.collections,
      ...groups.flatMap((members, at) => [
        { ...sample, ...made, uuid: idOf(2, at), identifier: `CASE-${at}`, members },
        {
          ...sample,
          ...made,
          uuid: idOf(3, at),
          identifier: `PACKAGE-${at}`,
          collection_type: 'regulator' as const,
          added_on: '2026-10-04T07:00:00Z',
          dispensary_uuid: data.collections.find((one) => one.identifier === delivery(1))?.dispensary_uuid ?? null,
          members,
        },
      ]),
    ],
  }
}

export const largeTag = (number: number) => idOf(1, number)
export const largeProducts = products
export const largeCase = (number: number) => idOf(2, number)
