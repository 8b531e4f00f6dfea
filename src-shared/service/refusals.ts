import { z } from 'zod'

/**
 * The bodies of refusals (status 400 unless noted), one schema for each, distinguished by shape. Spec: Errors; the
 * texts are those of the closest published service.
 */

const texts = z.array(z.string())

/** Business rule: `{detail}`. Also 403, 404 and 405, where they have a body. */
export const DetailRefusal = z.looseObject({ detail: z.string() })

/** Already processed: `{message}`. */
export const MessageRefusal = z.looseObject({ message: z.string() })

/** Items of a sale that are not in the dispensary's inventory. */
export const NotImportedRefusal = z.looseObject({
  message: z.string(),
  non_imported_tagids: texts,
  valid_transaction: z.boolean().nullish(),
})

/** Malformed ids. */
export const MalformedTagsRefusal = z.looseObject({ items: z.looseObject({ 'Invalid TagIDs': texts }) })

/** Ids unknown to the service. */
export const UnknownTagsRefusal = z.looseObject({
  items: z.looseObject({ invalid: texts, unknown: texts, valid: texts }),
})

/** A complete or return without items: an array with one message. */
export const ItemsMissingRefusal = z.tuple([z.string()])

/** Field validation: messages by field. */
export const FieldsRefusal = z.record(z.string(), texts)

/** Field validation of some older endpoints, with status 403: messages by field under `reason`. */
export const InvalidPayloadRefusal = z.looseObject({ status: z.literal('invalid payload'), reason: FieldsRefusal })

/** The token endpoint; the specification does not show the shape, this is RFC 6749's. */
export const TokenRefusal = z.looseObject({ error: z.string(), error_description: z.string().nullish() })
