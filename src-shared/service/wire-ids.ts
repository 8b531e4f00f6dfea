import { z } from 'zod'
import { CaseId, ShortUuid, TagId, toShortUuid, toUuid } from '../ids'

/**
 * Identifiers of `/api/v1.5`. On that wire an id is a UUID (36 characters); inside Countertag and in `/api/v1.2` it is
 * a ShortUUID. All conversion happens here: reading (`parse`) gives the short form, writing (`z.encode`) the long one.
 * Spec: Conventions.
 */

/** A UUID on the wire, in any case and of any version. */
const WireUuid = z.guid()

const longForm = {
  decode: (uuid: string) => toShortUuid(uuid) ?? uuid,
  encode: (id: string) => wireUuid(id),
}

/** Codecs: a UUID on the wire, an id of a kind inside. */
export const LongUuid = z.codec(WireUuid, ShortUuid, longForm).meta({ format: 'uuid' })
export const LongTagId = z.codec(WireUuid, TagId, longForm).meta({ format: 'uuid' })
export const LongCaseId = z.codec(WireUuid, CaseId, longForm).meta({ format: 'uuid' })

/**
 * The wire form of an id in `/api/v1.5`, for paths and for payloads built by hand. Takes either form; throws on
 * anything else, because ids inside Countertag are already parsed.
 */
export function wireUuid(id: string): string {
  const uuid = toUuid(id) ?? (WireUuid.safeParse(id).success ? id.toLowerCase() : undefined)
  if (uuid === undefined) throw new Error(`Not an id: ${id}`)
  return uuid
}

/** The kinds of ids of one version: schemas that both versions share are built from these. */
export const shortIds = { id: ShortUuid, tagId: TagId } as const
export const longIds = { id: LongUuid, tagId: LongTagId } as const
