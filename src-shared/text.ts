/**
 * Whether a text can be kept and sent as it is. With NUL or a lone surrogate in it some store or encoder on its way
 * would change it, and two different ids could become one.
 */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** What a search compares: without case and accents, for a hand types neither. */
export const searchable = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .trim()

/** What names that were written by others are compared by: a letter's width, case or blanks around make no difference. */
export const comparable = (text: string): string => text.normalize('NFKC').trim().toLowerCase()

/** For zod: `.refine(...storable)`. */
export const storable = [isStorable, { message: 'holds a character that cannot be stored' }] as const
