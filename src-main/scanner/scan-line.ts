import { z } from 'zod'
import { type RecordedScan } from '../../src-shared/ipc/recorded-scan'
import { readAim } from '../../src-shared/scan/aim'
import { Meaning, MeaningKind, type Scan, ScanSource, namesPerson } from '../../src-shared/scan/meaning'
import { readLikePackage, readPackageTag } from '../../src-shared/scan/packages'
import { iso } from '../clock'
import { parseStored } from '../store/settings'
import { looksPersonal } from './personal'

/** Characters kept of what was read: no code of the field is longer. */
const longestRaw = 500
const longestName = 200
const longestSymbology = 20
/** The last moment with a year of four digits. */
const latest = Date.UTC(9999, 11, 31)

/** A line of the journal as the table holds it. */
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

/** What the journal keeps of a scan: of a badge, or anything else that may name a person, only that it was there. */
export function lineOf({ at, source, device, symbology, raw, meaning }: Scan): ScanLine {
  const { text, aim } = readAim(raw, symbology)
  const isPersonal = namesPerson(meaning) || (isVague(meaning, text) && looksPersonal(text, aim !== null))
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

/** No id, no address, no number of ours: the text is anything. A package of no more than the right length is as vague. */
const isVague = ({ kind }: Meaning, text: string) =>
  kind === 'unknown' ||
  kind === 'gs1' ||
  (kind === 'package' && readPackageTag(text) === undefined && readLikePackage(text) !== undefined)

/** The text stands beside it. */
const withoutText = (meaning: Meaning): Meaning => ('text' in meaning ? { ...meaning, text: '' } : meaning)

/** What a row can hold: SQLite keeps UTF-8, which has no half characters. */
const beginning = (text: string, longest: number) => text.slice(0, longest).toWellFormed()

const Row = z.object({
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

/** A row as a screen shows it; undefined for one that no version of ours wrote. */
export function recordedScan(row: unknown): RecordedScan | undefined {
  const parsed = Row.safeParse(row)
  if (!parsed.success) return undefined
  const { at, meaning, raw, raw_length: length, ...rest } = parsed.data
  return {
    ...rest,
    at: iso(at),
    meaning: meaning === null ? null : (parseStored(Meaning, meaning) ?? null),
    raw: raw === null ? null : { text: raw, length: length ?? raw.length },
  }
}
