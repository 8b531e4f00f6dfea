/** Whether a text begins so, in any case: scanners and Caps Lock change it. Reads no more of the text than the prefix has. */
export const beginsWith = (text: string, prefix: string): boolean =>
  text.slice(0, prefix.length).toUpperCase() === prefix.toUpperCase()
