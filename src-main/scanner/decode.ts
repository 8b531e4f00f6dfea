/**
 * Decodes a scanner's reports into codes. Pure, never throws. scanner.md lists the layouts; a report that fits none gives no
 * scan, because a wrong code is worse than none.
 */

/** Most bytes of one scan. No barcode holds more (QR: 7,089 digits); beyond it, the end of a scan was lost. */
export const longestScan = 8_000

/**
 * In ms. The reports of one scan arrive a few ms apart; a later one belongs to another scan. Less than a person needs for the
 * next scan, which must not be joined to one whose end was lost.
 */
export const staleAfter = 250

export type ScanTrouble = 'scanner/unreadable' | 'scanner/scan-incomplete' | 'scanner/scan-too-long'

export interface DecodedScan {
  text: string
  /** AIM id, e.g. `]Q1`; null if not reported. */
  symbology: string | null
}

/**
 * State between two reports of one scanner. `skipping`: the beginning was lost, so the rest is dropped; at its end the trouble
 * is reported again, because it may have been another scan.
 */
export type DecoderState =
  | { kind: 'idle' }
  | { kind: 'joining'; symbology: string | null; bytes: Uint8Array; at: number }
  | { kind: 'skipping'; trouble: ScanTrouble; at: number }

export const idle: DecoderState = { kind: 'idle' }

export interface Decoded {
  state: DecoderState
  scan: DecodedScan | null
  /** Why something was dropped. */
  trouble: ScanTrouble | null
}

/** Takes the next report, received at `at` (ms), and the state after the last one. */
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

/** The rest of a scan is dropped with a lost part. */
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

/** All reports of a scan have the same AIM id; a different one means that the end of the first scan was lost. */
const isSameScan = (state: DecoderState, part: Part) =>
  state.kind === 'joining' &&
  (state.symbology === null || part.symbology === null || state.symbology === part.symbology)

interface Part {
  symbology: string | null
  bytes: Uint8Array
  isContinued: boolean
}

/** The length is impossible, but the last byte still says whether the scan continues. */
interface Unreadable {
  bytes: 'unreadable'
  isContinued: boolean
}

/** Report id of scanned data in all documented layouts; other reports concern the scanner itself. */
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

/** The layout, recognized by the position of the AIM id, because node-hid doesn't give the report descriptor. */
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
  // Some have a free byte before it.
  if (third === 0 && hasAim(report, 3)) return { lengthAt: 1, aimAt: 3, dataAt: 6 }
  if (first !== scannedData) return undefined
  // No AIM id: its bytes are empty, or the text begins there.
  if (third !== 0) return { lengthAt: 1, aimAt: null, dataAt: 2 }
  return { lengthAt: 1, aimAt: null, dataAt: report[5] === 0 ? 6 : 5 }
}

/** `]`, a letter for the kind of barcode, a letter or digit for its options. */
function hasAim(report: Uint8Array, at: number): boolean {
  return /^\][A-Za-z][0-9A-Za-z]$/.test(String.fromCharCode(...report.subarray(at, at + 3)))
}

/** Reports are padded with zeros; some scanners include them in the length. */
function withoutPadding(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (end > 0 && bytes[end - 1] === 0) end -= 1
  return Uint8Array.from(bytes.subarray(0, end))
}

/** Scanners send UTF-8 or Latin-1 without saying which; Latin-1 is hardly ever valid UTF-8. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return Buffer.from(bytes).toString('latin1')
  }
}
