/** Letters, digits, dots, underscores and dashes: allowed on every file system. */
export const fileNamePart = (text: string) => text.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
