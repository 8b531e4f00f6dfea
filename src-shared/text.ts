/**
 * Whether a text can be stored and sent unchanged. A store or encoder might alter NUL or a lone surrogate, and two
 * different ids could become one.
 */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** Normalizes text for a search: without case and accents, which people often don't type. */
export const searchable = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .trim()

/** Normalizes names from outside for comparison: the width of letters, case and surrounding blanks make no difference. */
export const comparable = (text: string): string => text.normalize('NFKC').trim().toLowerCase()

/** Part of a file name: letters, digits, dots, underscores and dashes, which every file system allows. */
export const fileNamePart = (text: string): string => text.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')

/** For zod: `.refine(...storable)`. */
export const storable = [isStorable, { message: 'holds a character that cannot be stored' }] as const
