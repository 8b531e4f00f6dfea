/** For `LIKE ? ESCAPE '\'`: what holds a text as it stands, whatever signs of SQL are in it. */
export const likeOf = (text: string) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`
