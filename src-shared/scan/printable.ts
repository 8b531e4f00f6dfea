const separators = new Set(['\u001d', '\u001e', '\u0004'])

/**
 * Whether a text can stand in a code. GS, RS and EOT separate the parts of some; any other control character, a lone
 * surrogate or U+FFFD is damage.
 */
export const isPrintable = (text: string): boolean =>
  text.isWellFormed() &&
  Array.from(text).every((character) => (character >= ' ' || separators.has(character)) && character !== '\ufffd')
