import type { MediaTable } from './media'
import type { Borrowed } from './product-photos'
import { ProductRecord, photoPlaces } from './product-record'
import { type PatchFields, isReplaced } from './product-requests'

/** What requests make of a product's record. Called inside a transaction, after all that may refuse. */
export function createProductChanges(media: MediaTable, now: () => Date) {
  /**
   * Sets what the request names. `base` is the record, or what a request for the whole product leaves of it; the
   * answer is parsed, so that what neither names has its default.
   */
  function change(
    base: Record<string, unknown>,
    fields: PatchFields,
    { photos, description }: Borrowed,
  ): ProductRecord {
    const before = ProductRecord.pick({ photos: true }).parse(base).photos
    const after = { ...before }
    for (const place of photoPlaces) {
      const photo = photos[place]
      if (photo !== undefined) after[place] = typeof photo === 'string' ? photo : media.add(photo)
    }
    const kept = new Set(Object.values(after))
    for (const file of Object.values(before)) if (file !== null && !kept.has(file)) media.drop(file)
    return ProductRecord.parse({
      ...base,
      ...fields,
      ...(description === undefined ? {} : { description }),
      photos: after,
      updated_on: now().toISOString(),
    })
  }

  return {
    create: (uuid: string, brandUuid: string, fields: PatchFields, borrowed: Borrowed) =>
      change({ uuid, added_on: now().toISOString() }, { ...fields, ...{ brand_uuid: brandUuid } }, borrowed),
    patch: (record: ProductRecord, fields: PatchFields, borrowed: Borrowed) => change(record, fields, borrowed),
    /** Photos stay: nobody can send back in Base64 what came as an address. */
    replace(record: ProductRecord, fields: PatchFields, borrowed: Borrowed) {
      const kept = Object.entries(record).filter(([field]) => !isReplaced(field))
      return change(Object.fromEntries(kept), fields, borrowed)
    },
  }
}
