import type { Clock } from '../clock'
import { type Result, err, ok } from '../../src-shared/result'
import type { ScannerProblem } from '../../src-shared/ipc/scanner-view'
import { type DecodedScan, type DecoderState, type ScanTrouble, decode, idle } from './decode'
import { inTime } from './in-time'
import type { HidConnection, HidLayer } from './layer'
import type { Candidate } from './matching'
import { openingProblem, readingProblem } from './problems'

/** A scanner that was opened, until it is closed. */
export interface OpenScanner {
  /** Resolves at the latest after the longest call; nothing is told afterwards. Never rejects. */
  close(): Promise<void>
}

export interface ScannerEvents {
  /** What was queued before we came is gone: from now on, scans count. */
  onReady(): void
  onScan(scan: DecodedScan): void
  onTrouble(trouble: ScanTrouble): void
  /** The connection is of no more use. Told once, also while opening. */
  onLost(problem: ScannerProblem, cause: unknown): void
}

export interface OpenScannerParts {
  hid: HidLayer
  candidate: Candidate
  events: ScannerEvents
  clock: Clock
  /** ms in which reports are dropped after opening. */
  flush: number
  /** ms after which a call that has not returned is given up. */
  longestCall: number
  /** Gives up opening. */
  signal: AbortSignal
}

/** Honeywell and Youjie: this feature report makes them send reports instead of keys. */
const vendorsToStart = new Set([0x0c2e, 0x23d0])
const startReport = [0xfe, 0x01]

export interface OpeningFailed {
  problem: ScannerProblem
  cause: unknown
}

export async function openScanner(parts: OpenScannerParts): Promise<Result<OpenScanner, OpeningFailed>> {
  const { hid, candidate, longestCall, signal } = parts
  const opening = hid.open(candidate.path)
  const waited = await inTime(opening, longestCall, signal)
  if (waited.kind === 'failed') return err({ problem: openingProblem(waited.cause), cause: waited.cause })
  if (waited.kind === 'late') {
    opening.then(discard, () => undefined)
    return err({ problem: 'scanner/cannot-open', cause: 'it did not answer' })
  }
  return ok(await listenTo(waited.value, parts))
}

async function listenTo(connection: HidConnection, parts: OpenScannerParts): Promise<OpenScanner> {
  const { candidate, events, clock, flush, longestCall, signal } = parts
  const session: { decoder: DecoderState; isReady: boolean; isOver: boolean } = {
    decoder: idle,
    isReady: false,
    isOver: false,
  }
  let flushTimer: NodeJS.Timeout | undefined
  const end = () => {
    session.isOver = true
    clearTimeout(flushTimer)
  }

  // First of all: an error that nobody listens to ends the process.
  connection.on('error', (cause) => {
    if (session.isOver) return
    end()
    events.onLost(readingProblem(cause), cause)
  })
  connection.on('data', (report) => {
    if (session.isOver) return
    const { state, scan, trouble } = decode(report, session.decoder, clock.now())
    session.decoder = state
    if (!session.isReady) return
    if (trouble) events.onTrouble(trouble)
    if (scan) events.onScan(scan)
  })
  // node-hid begins to read in the next tick, and throws there if it was closed before.
  await new Promise<void>((resolve) => {
    process.nextTick(resolve)
  })
  // One that refuses it may need no start: its scans will show.
  if (vendorsToStart.has(candidate.vendorId)) {
    await inTime(connection.sendFeatureReport(startReport), longestCall, signal)
  }
  if (!session.isOver) {
    flushTimer = setTimeout(() => {
      session.isReady = true
      // The rest of a scan that had begun before is not a code.
      if (session.decoder.kind === 'joining') {
        session.decoder = { kind: 'skipping', trouble: 'scanner/scan-incomplete', at: session.decoder.at }
      }
      events.onReady()
    }, flush)
    flushTimer.unref()
  }
  return {
    async close() {
      end()
      await inTime(connection.close(), longestCall)
    },
  }
}

/** A device that opened after we had stopped waiting for it. */
async function discard(connection: HidConnection): Promise<void> {
  connection.on('error', () => undefined)
  await connection.close().catch(() => undefined)
}
