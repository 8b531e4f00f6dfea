/**
 * Whether a text can be kept and sent as it is. With NUL or a lone surrogate in it some store or encoder on its way
 * would change it, and two different ids could become one.
 */
export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** For zod: `.refine(...storable)`. */
export const storable = [isStorable, { message: 'holds a character that cannot be stored' }] as const
