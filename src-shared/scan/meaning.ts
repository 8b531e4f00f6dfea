import { z } from 'zod'
import { CaseId, OrderId, PackageUid, TagId } from '../ids'

/** The screen on which a code is scanned: there a bare id is a case (receiving) or an item (elsewhere). */
export const Place = z.enum(['receiving', 'checkout', 'other'])
export type Place = z.infer<typeof Place>

/** Commands that a person gives by scanning a printed code, without keyboard and mouse. */
export const Action = z.enum(['complete', 'cancel', 'remove', 'undo', 'hold'])
export type Action = z.infer<typeof Action>

/**
 * The text of each action's barcode. Capitals and a colon only: that makes a small QR code and can't be confused with an
 * id, a package tag or an address. `npm run action-sheet` prints them.
 */
export const actionTexts: Record<Action, string> = {
  complete: 'CT:COMPLETE',
  cancel: 'CT:CANCEL',
  remove: 'CT:REMOVE',
  undo: 'CT:UNDO',
  hold: 'CT:HOLD',
}

const actionOfText = new Map(Action.options.map((action) => [actionTexts[action], action] as const))

const longestText = Math.max(...Object.values(actionTexts).map((text) => text.length))

/** The action of a scanned text. Lower case is accepted too, because Caps Lock reverses the letters. */
export const actionOf = (text: string): Action | undefined =>
  text.length > longestText ? undefined : actionOfText.get(text.toUpperCase())

/**
 * Why a text has no meaning. `near-id` has almost the form of an id; `damaged` has characters that no code contains, such as
 * those of keys that an input method swallowed; `foreign-address` is an address without an id; `several` is more than one code.
 */
export const UnknownReason = z.enum(['empty', 'too-long', 'several', 'damaged', 'foreign-address', 'near-id', 'other'])
export type UnknownReason = z.infer<typeof UnknownReason>

/** What a scanned text means. `certain` is false for a bare id: whether it is an item or a case was decided by the place. */
export const Meaning = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('tag'), tagId: TagId, certain: z.boolean() }),
  /** `identifier` is a CaseID in short form, or the text that the brand chose for its case. */
  z.object({ kind: z.literal('case'), identifier: z.string(), caseId: CaseId.nullable(), certain: z.boolean() }),
  /** `item`: index of the item within the package, from a Metrc Retail ID. */
  z.object({ kind: z.literal('package'), packageUid: PackageUid, item: z.number().int().nonnegative().optional() }),
  /** Without the station's order prefix. */
  z.object({ kind: z.literal('order'), orderId: OrderId }),
  /**
   * `badge`: of a budtender, or the short name of a person of the store. `proof`: that this person's badge was scanned, for one use;
   * null for a printed badge that belongs to no one.
   */
  z.object({ kind: z.literal('badge'), badge: z.string(), proof: z.uuid().nullish() }),
  /** A join code of the store, or a part of one. Its text holds a password and stays in main. */
  z.object({ kind: z.literal('join') }),
  z.object({ kind: z.literal('action'), action: Action }),
  /** A product barcode. It identifies a kind of product (`gtin`, 14 digits), not an item, so it can't be sold by it. */
  z.object({
    kind: z.literal('gs1'),
    text: z.string(),
    gtin: z.string().nullable(),
    batch: z.string().nullable(),
    serial: z.string().nullable(),
  }),
  z.object({ kind: z.literal('unknown'), text: z.string(), reason: UnknownReason.optional() }),
])
export type Meaning = z.infer<typeof Meaning>

/** Whether a code identifies a person or holds a secret: then its text is not stored. */
export const isPrivate = ({ kind }: Meaning): boolean => kind === 'badge' || kind === 'join'

export const MeaningKind = z.enum(Meaning.options.map((option) => option.shape.kind.value))
export type MeaningKind = z.infer<typeof MeaningKind>

/**
 * What can go wrong when a scanner types.
 * - `caps-lock`: Caps Lock is on, upper and lower case came reversed.
 * - `caps-lock-doubt`: the same, and both ways of reading give an id: U+FFFD replaces the letters in doubt.
 * - `layout`: computer and scanner use different keyboard layouts, so other characters arrived than were sent.
 * - `alt-codes`: the scanner types characters as Alt and a number: slow, and needs Num Lock.
 * - `unidentified-keys`: an input method took keys away. A key that can't be told by its place either becomes U+FFFD.
 */
export const WedgeTrouble = z.enum(['caps-lock', 'caps-lock-doubt', 'layout', 'alt-codes', 'unidentified-keys'])
export type WedgeTrouble = z.infer<typeof WedgeTrouble>

/** How a text was entered. */
export const ScanSource = z.enum(['hid', 'wedge', 'typed', 'practice'])
export type ScanSource = z.infer<typeof ScanSource>

/** One scan. `seq`: order of arrival in main; `at`: ISO 8601 with offset. */
export const Scan = z.object({
  seq: z.number().int().positive(),
  at: z.iso.datetime({ offset: true }),
  source: ScanSource,
  /** Name of a HID scanner; null for other sources. */
  device: z.string().nullable(),
  /** AIM id as the scanner reported it beside the text, e.g. `]Q1`. */
  symbology: z.string().nullable(),
  raw: z.string(),
  meaning: Meaning,
  /** What went wrong with the keys of a scanner that types. The text is the best reading of them. */
  troubles: z.array(WedgeTrouble).optional(),
})
export type Scan = z.infer<typeof Scan>
