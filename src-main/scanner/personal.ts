/**
 * Texts that name a person, though nobody set them up as badges: what a scanner or a card reader beside it makes of a
 * customer's papers. They mean nothing to us, and must not be kept.
 */
const forms = [
  // Driver licences and identity cards of North America (AAMVA, Annex D), whole: the header says so.
  /\b(?:ANSI |AAMVA)\d{6}/,
  // One element of those, where a scanner that types ended a scan at each line: number, names, address, dates. Names
  // have letters of all kinds, and what became of those in a scanner that knows only some.
  /^(?:DL|ID)?D(?:A[CDGHKQ]|B[BNOPQRS]|C[FSTU])[^a-z\s\p{P}][^a-z]*$/u,
  // The lines that passports and visas have for machines (ICAO 9303).
  /^(?=.*<<)[A-Z0-9<]{28,44}$/m,
  // The tracks of bank cards and licences with a magnetic stripe (ISO/IEC 7813).
  /^%[A-Z][^^]*\^[^^]*\^|^B\d{8,19}\^|;\d{8,37}=/,
]

/** Whether a text without another meaning has the form of a person's papers. `isPrinted`: it is known to come from a barcode. */
export const looksPersonal = (text: string, isPrinted: boolean): boolean =>
  forms.some((form) => form.test(text)) || (!isPrinted && isCardNumber(text))

/** The number of a bank card, keyed in or typed by a card reader (ISO/IEC 7812): no barcode holds one. */
function isCardNumber(text: string): boolean {
  if (!/^[2-6]\d{14,18}$/.test(text)) return false
  const sum = Array.from(text).reduceRight((total, digit, at) => {
    const isDoubled = (text.length - at) % 2 === 0
    const value = Number(digit) * (isDoubled ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
