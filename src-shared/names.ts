import { z } from 'zod'

/**
 * Characters that a name can't have: control characters, line separators, halves of surrogate pairs, marks that change the
 * reading direction, and other invisible ones. Two names that look the same would be two, or a name would rearrange the
 * text around it.
 */
const unfit = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Co}\p{Noncharacter_Code_Point}\p{Bidi_Control}]/u
const invisible = /\p{Default_Ignorable_Code_Point}/gu
/** Joiners and variation selectors: emoji and several scripts are written with them. */
const joining = /^(\p{Join_Control}|\p{Variation_Selector})$/u
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u

const isFitting = (character: string) =>
  !unfit.test(character) && (joining.test(character) || character.search(invisible) < 0)

/** Whether a name has only characters that can be seen, or that join those that can. */
export const isPlainName = (name: string): boolean =>
  Array.from(name).every(isFitting) && visible.test(name.replaceAll(invisible, ''))

/** The message of a name with characters that it can't have. */
export const unfitName = 'characters'

/** More of a name that is here already isn't even looked at, in characters. */
const longestLookedAt = 2_000

/**
 * The name of a store, station, connection or person, as a person enters it or a file from outside has it: on one line, in
 * Unicode's composed form (NFC), at most `most` characters. Every name that comes in is parsed with this.
 */
export const plainName = (most: number) => nameOrEmpty(most).min(1).refine(isPlainName, { error: unfitName })

/** As `plainName`, of an entry that may be left empty. */
export const plainNameOrEmpty = (most: number) =>
  nameOrEmpty(most).refine((name) => name === '' || isPlainName(name), { error: unfitName })

const nameOrEmpty = (most: number) =>
  z
    .string()
    .normalize('NFC')
    .trim()
    .max(most)
    // Zod counts code points; fields and stores count UTF-16 units.
    .refine((name) => name.length <= most, { error: 'too long' })

/**
 * A name that is here already: saved by an earlier version, or written by another station. It isn't refused, because more than
 * the name would be lost: characters that it can't have are shown as U+FFFD.
 */
export const knownName = (text: string, most: number): string => {
  const shown = Array.from(text.slice(0, longestLookedAt).normalize('NFC').trim(), (one) =>
    isFitting(one) ? one : '\uFFFD',
  )
  const name = cut(shown.join(''), most)
  return visible.test(name) ? name : '\uFFFD'
}

/** Never between the halves of a surrogate pair. */
const cut = (text: string, most: number) => text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')

/** For zod: a known name of at most `most` characters. */
export const knownNameOf = (most: number) => z.string().transform((text) => knownName(text, most))
