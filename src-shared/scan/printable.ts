/** GS, RS and EOT separate the parts of some codes; any other control character is damage, and so is U+FFFD. */
const controls = ['\0-\u0003', '\u0005-\u001c', '\u001f']
const damage = new RegExp(`[${controls.join('')}\ufffd]`)

/** Whether a text can stand in a code: it holds no damage, and no half of a surrogate pair. */
export const isPrintable = (text: string): boolean => !damage.test(text) && text.isWellFormed()
