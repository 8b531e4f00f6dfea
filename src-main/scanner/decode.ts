/**
 * From a scanner's reports to the code that it read: pure, total, never throws. The layouts that scanners use are in
 * scanner.md; a report that fits none of them gives no scan, for a wrong code is worse than none.
 */

/** Bytes of one scan. No barcode holds more (QR: 7,089 digits): beyond it, the end of an earlier scan got lost. */
export const longestScan = 8_000

/**
 * A scan in several reports is sent in one go, a few ms apart: what comes later than this, in ms, belongs to something else.
 * It is less than a person needs for the next scan, which must not be joined with the rest of one whose end was lost.
 */
export const staleAfter = 250

export type ScanTrouble = 'scanner/unreadable' | 'scanner/scan-incomplete' | 'scanner/scan-too-long'

export interface DecodedScan {
  text: string
  /** AIM id, e.g. `]Q1`; null if the scanner does not say. */
  symbology: string | null
}

/**
 * What is kept between two reports of one scanner. `skipping`: the beginning was lost, so the rest is worth nothing; with its
 * end the trouble is told once more, for it may have been another scan.
 */
export type DecoderState =
  | { kind: 'idle' }
  | { kind: 'joining'; symbology: string | null; bytes: Uint8Array; at: number }
  | { kind: 'skipping'; trouble: ScanTrouble; at: number }

export const idle: DecoderState = { kind: 'idle' }

export interface Decoded {
  state: DecoderState
  scan: DecodedScan | null
  /** What had to be dropped. */
  trouble: ScanTrouble | null
}

/** Takes the next report, which came at `at` (ms), and the state that the last one left. */
export function decode(report: Uint8Array, state: DecoderState, at: number): Decoded {
  const part = partOf(report)
  if (part === 'no-scan') return { state, scan: null, trouble: null }
  const isLate = state.kind !== 'idle' && (at - state.at > staleAfter || at < state.at)
  const wasInScan = state.kind !== 'idle' && !isLate
  if (part.bytes === 'unreadable') return dropped('scanner/unreadable', part.isContinued, at)
  if (wasInScan && state.kind === 'skipping') {
    const { trouble } = state
    return part.isContinued
      ? { state: { kind: 'skipping', trouble, at }, scan: null, trouble: null }
      : dropped(trouble, false, at)
  }
  const before = wasInScan && isSameScan(state, part) ? state : idle
  const trouble = state.kind === 'joining' && before === idle ? 'scanner/scan-incomplete' : null
  return { ...joined(before, part, at), ...(trouble && { trouble }) }
}

/** What follows a lost part of a scan is lost with it. */
const dropped = (trouble: ScanTrouble, isContinued: boolean, at: number): Decoded => ({
  state: isContinued ? { kind: 'skipping', trouble, at } : idle,
  scan: null,
  trouble,
})

function joined(before: DecoderState, part: Part, at: number): Decoded {
  const isJoining = before.kind === 'joining'
  const bytes = isJoining ? Buffer.concat([before.bytes, part.bytes]) : part.bytes
  const symbology = (isJoining ? before.symbology : null) ?? part.symbology
  if (bytes.length > longestScan) return dropped('scanner/scan-too-long', part.isContinued, at)
  if (part.isContinued) return { state: { kind: 'joining', symbology, bytes, at }, scan: null, trouble: null }
  const scan = bytes.length === 0 ? null : { text: textOf(bytes), symbology }
  return { state: idle, scan, trouble: null }
}

/** Every report of a scan carries its AIM id: another one means that the end of the first scan was lost. */
const isSameScan = (state: DecoderState, part: Part) =>
  state.kind === 'joining' &&
  (state.symbology === null || part.symbology === null || state.symbology === part.symbology)

interface Part {
  symbology: string | null
  bytes: Uint8Array
  isContinued: boolean
}

/** Its length is impossible; whether the scan goes on stands in the last byte all the same. */
interface Unreadable {
  bytes: 'unreadable'
  isContinued: boolean
}

/** Scanned data has this report id in all documented layouts; other reports are about the scanner itself. */
const scannedData = 2

interface Layout {
  lengthAt: number
  aimAt: number | null
  dataAt: number
}

function partOf(report: Uint8Array): Part | Unreadable | 'no-scan' {
  const layout = layoutOf(report)
  if (layout === undefined) return 'no-scan'
  const { lengthAt, aimAt, dataAt } = layout
  const length = report[lengthAt] ?? 0
  const last = report.length - 1
  const isContinued = ((report[last] ?? 0) & 1) === 1
  if (length > last - dataAt) return { bytes: 'unreadable', isContinued }
  return {
    symbology: aimAt === null ? null : String.fromCharCode(...report.subarray(aimAt, aimAt + 3)),
    bytes: withoutPadding(report.subarray(dataAt, dataAt + length)),
    isContinued,
  }
}

/** Where things are: node-hid does not give the descriptor, so the AIM id's place tells. */
function layoutOf(report: Uint8Array): Layout | undefined {
  const [first, second, third] = report
  if (report.length < 7) return undefined
  // Without a report id in front.
  if (hasAim(report, 1)) return { lengthAt: 0, aimAt: 1, dataAt: 4 }
  if (hasAim(report, 2)) {
    return second === 0 && first !== scannedData
      ? { lengthAt: 0, aimAt: 2, dataAt: 5 }
      : { lengthAt: 1, aimAt: 2, dataAt: 5 }
  }
  // Some leave a byte free before it.
  if (third === 0 && hasAim(report, 3)) return { lengthAt: 1, aimAt: 3, dataAt: 6 }
  if (first !== scannedData) return undefined
  // No AIM id: its place is empty, or the text begins there.
  if (third !== 0) return { lengthAt: 1, aimAt: null, dataAt: 2 }
  return { lengthAt: 1, aimAt: null, dataAt: report[5] === 0 ? 6 : 5 }
}

/** `]`, a letter for the kind of barcode, a letter or digit for its options. */
function hasAim(report: Uint8Array, at: number): boolean {
  return /^\][A-Za-z][0-9A-Za-z]$/.test(String.fromCharCode(...report.subarray(at, at + 3)))
}

/** Reports have a fixed size, filled up with zeros; some scanners count them. */
function withoutPadding(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end -= 1
  return Uint8Array.from(bytes.subarray(0, end))
}

/** Scanners send UTF-8 or Latin-1 and do not say which; Latin-1 is hardly ever valid UTF-8. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return Buffer.from(bytes).toString('latin1')
  }
}
