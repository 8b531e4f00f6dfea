/** For `LIKE ? ESCAPE '\'`: a pattern that matches texts containing `text` literally. */
export const likeOf = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
