import { z } from 'zod'
import type { RecordedScan } from '../../src-shared/ipc/contract/scanner'
import { readAim } from '../../src-shared/scan/aim'
import { Meaning, MeaningKind, type Scan, ScanSource, isPrivate } from '../../src-shared/scan/meaning'
import { isPackageByLengthOnly } from '../../src-shared/scan/packages'
import { iso } from '../core/clock'
import { parseStored } from '../database/settings'

/** Longest raw text kept; no code is longer. */
const longestRaw = 500
const longestName = 200
const longestSymbology = 20
/** The last year with four digits. */
const latest = Date.UTC(9999, 11, 31)

/** A row of the table `scan`. */
export interface ScanLine {
  at: number
  source: ScanSource
  device: string | null
  symbology: string | null
  kind: MeaningKind
  meaning: string | null
  raw: string | null
  raw_length: number | null
}

/** What the journal keeps of a scan. Of a badge, a join code, or anything that may identify a person, only that it was scanned. */
export function lineOf({ at, source, device, symbology, raw, meaning }: Scan): ScanLine {
  const { text, aim } = readAim(raw, symbology)
  const isPersonal = isPrivate(meaning) || (isVague(meaning, text) && looksPersonal(text, aim !== null))
  return {
    at: Date.parse(at),
    source,
    device: device === null ? null : beginning(device, longestName),
    symbology: symbology === null ? null : beginning(symbology, longestSymbology),
    kind: meaning.kind,
    meaning: isPersonal ? null : JSON.stringify(withoutText(meaning)),
    raw: isPersonal ? null : beginning(raw, longestRaw),
    raw_length: isPersonal ? null : raw.length,
  }
}

/** Not recognized by a definite form: an unknown text, a product barcode, or a package tag by length alone. */
const isVague = ({ kind }: Meaning, text: string) =>
  kind === 'unknown' || kind === 'gs1' || (kind === 'package' && isPackageByLengthOnly(text))

/** The text is stored beside it. */
const withoutText = (meaning: Meaning): Meaning => ('text' in meaning ? { ...meaning, text: '' } : meaning)

/** Well-formed, because SQLite stores UTF-8. */
const beginning = (text: string, longest: number) => text.slice(0, longest).toWellFormed()

const ScanLineRow = z.object({
  number: z.number().int().positive(),
  at: z.number().int().min(0).max(latest),
  source: ScanSource,
  device: z.string().nullable(),
  symbology: z.string().nullable(),
  kind: MeaningKind,
  meaning: z.string().nullable(),
  raw: z.string().nullable(),
  raw_length: z.number().int().nonnegative().nullable(),
})

/** A row as screens show it; undefined if it is not valid. */
export function recordedScan(row: unknown): RecordedScan | undefined {
  const parsed = ScanLineRow.safeParse(row)
  if (!parsed.success) return undefined
  const { at, meaning, raw, raw_length: length, ...rest } = parsed.data
  return {
    ...rest,
    at: iso(at),
    meaning: meaning === null ? null : (parseStored(Meaning, meaning) ?? null),
    raw: raw === null ? null : { text: raw, length: length ?? raw.length },
  }
}

/**
 * Texts of identity papers and bank cards, from a scanner or a card reader. They have no meaning here and must not be kept.
 */
const forms = [
  // North American driver licenses and identity cards (AAMVA, Annex D), complete with header.
  /\b(?:ANSI |AAMVA)\d{6}/,
  // A single element of those, if a keyboard-mode scanner ended the scan at each line: number, names, address, dates.
  // Names contain any letters, and what some scanners make of them.
  /^(?:DL|ID)?D(?:A[CDGHKQ]|B[BNOPQRS]|C[FSTU])[^a-z\s\p{P}][^a-z]*$/u,
  // Machine-readable lines of passports and visas (ICAO 9303).
  /^(?=.*<<)[A-Z0-9<]{28,44}$/m,
  // Magnetic stripes of bank cards and licenses (ISO/IEC 7813).
  /^%[A-Z][^^]*\^[^^]*\^|^B\d{8,19}\^|;\d{8,37}=/,
]

/** Whether a text without another meaning has the form of a person's papers. `isPrinted`: it came from a barcode. */
export const looksPersonal = (text: string, isPrinted: boolean): boolean =>
  forms.some((form) => form.test(text)) || (!isPrinted && isCardNumber(text))

/** The number of a bank card (ISO/IEC 7812), keyed in or read by a card reader; barcodes don't contain one. */
function isCardNumber(text: string): boolean {
  if (!/^[2-6]\d{14,18}$/.test(text)) return false
  const sum = Array.from(text).reduceRight((total, digit, at) => {
    const isDoubled = (text.length - at) % 2 === 0
    const value = Number(digit) * (isDoubled ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
