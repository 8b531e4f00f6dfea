import { settleWithin } from '../core/async'
import type { Clock } from '../core/clock'
import { type Result, err, ok } from '../../src-shared/result'
import type { ScannerProblem } from '../../src-shared/ipc/contract/scanner'
import { type DecodedScan, type DecoderState, type ScanTrouble, decode, idle } from './decode'
import type { HidConnection, HidLayer } from './layer'
import type { Candidate } from './roster'
import { openingProblem, readingProblem } from './problems'

export interface ScannerEvents {
  /** Reports queued before opening are gone; from now on, scans count. */
  onReady(): void
  onScan(scan: DecodedScan): void
  onTrouble(trouble: ScanTrouble): void
  /** The connection broke. Called at most once, possibly while opening. */
  onLost(problem: ScannerProblem, cause: unknown): void
}

interface OpenScannerParts {
  hid: HidLayer
  candidate: Candidate
  events: ScannerEvents
  clock: Clock
  /** ms in which reports are dropped after opening. */
  flush: number
  /** Timeout of each call, in ms. */
  longestCall: number
  /** Aborts opening. */
  signal: AbortSignal
}

/** Honeywell and Youjie send keys until they get this feature report. */
const vendorsToStart = new Set([0x0c2e, 0x23d0])
const startReport = [0xfe, 0x01]

/** Opens a scanner and starts reading it. */
export async function openScanner(
  parts: OpenScannerParts,
): Promise<Result<{ close(): Promise<void> }, { problem: ScannerProblem; cause: unknown }>> {
  const { hid, candidate, longestCall, signal } = parts
  const opening = hid.open(candidate.path)
  const opened = await settleWithin(opening, longestCall, signal)
  if (opened.status === 'rejected') {
    const cause: unknown = opened.reason
    return err({ problem: openingProblem(cause), cause })
  }
  if (opened.status === 'timeout') {
    opening.then(discard, () => undefined)
    return err({ problem: 'scanner/cannot-open', cause: 'it did not answer' })
  }
  return ok(await listenTo(opened.value, parts))
}

async function listenTo(connection: HidConnection, parts: OpenScannerParts) {
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

  // Before anything else: an `error` without a listener ends the process.
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
  // node-hid starts reading in the next tick, and throws there if the device is closed before.
  await new Promise<void>((resolve) => {
    process.nextTick(resolve)
  })
  // The result is ignored: a scanner that refuses the report may work without it.
  if (vendorsToStart.has(candidate.vendorId)) {
    await settleWithin(connection.sendFeatureReport(startReport), longestCall, signal)
  }
  if (!session.isOver) {
    flushTimer = setTimeout(() => {
      session.isReady = true
      // The rest of a scan that began earlier is not a code.
      if (session.decoder.kind === 'joining') {
        session.decoder = { kind: 'skipping', trouble: 'scanner/scan-incomplete', at: session.decoder.at }
      }
      events.onReady()
    }, flush)
    flushTimer.unref()
  }
  return {
    /** Resolves within `longestCall`; no events afterwards. Never rejects. */
    async close() {
      end()
      await settleWithin(connection.close(), longestCall)
    },
  }
}

/** Closes a device that opened after the timeout. */
async function discard(connection: HidConnection): Promise<void> {
  connection.on('error', () => undefined)
  await connection.close().catch(() => undefined)
}
