import type { ScannerProblem, ScannersView } from '../../src-shared/ipc/contract/scanner'
import type { Clock } from '../core/clock'
import { settleWithin } from '../core/async'
import type { Log } from '../core/log'
import { type ScannerEvents, openScanner } from './hid-scanner'
import type { ScannerLayer } from './layer'
import { createLookout } from './lookout'
import { type Candidate, type RosterEntry, candidatesAmong, createRoster, isLost } from './roster'
import { remedies } from './problems'

/** The id distinguishes scanners of the same model. */
export interface ScannerDevice {
  id: string
  name: string
}

/** A code as a scanner gave it. */
export interface SourceScan {
  /** The text without its AIM id. */
  text: string
  /** AIM id, e.g. `]Q1`; null if not reported. */
  symbology: string | null
  device: ScannerDevice
}

/** All in ms. */
interface HidTiming {
  /** Reports that arrive so soon after opening are old: they were queued before. */
  flush: number
  /** From a plug to listing the devices: drivers and rights need a moment. */
  settle: number
  /**
   * Time between two listings while no scanner is connected. With a connected scanner there is no polling, because
   * listing is costly.
   */
  poll: number
  /** Timeout of a call to a device. */
  longestCall: number
}

export const defaultTiming: HidTiming = { flush: 250, settle: 500, poll: 5_000, longestCall: 5_000 }

/** Tries to open a scanner beside one that works; without one it is tried at every poll. */
const mostFailures = 3

export type ScannerSource = ReturnType<typeof createHidSource>

/** Finds HID POS scanners, opens them, and hands over their scans. Guarantees: scanner.md. */
export function createHidSource({
  layer,
  clock,
  log,
  onScan,
  onChange = () => undefined,
  timing = defaultTiming,
}: {
  layer: ScannerLayer
  clock: Clock
  log: Log
  onScan: (scan: SourceScan) => void
  /** Called after every change of the view. */
  onChange?: (view: ScannersView) => void
  timing?: HidTiming
}) {
  const stopping = new AbortController()
  const { signal } = stopping
  const isStopped = () => signal.aborted
  const roster = createRoster()
  const listing: { problem: ScannerProblem | null; hasNews: boolean } = { problem: null, hasNews: true }
  let stopNews: (() => void) | undefined
  let announced = ''

  const lookout = createLookout({
    look,
    isWanted() {
      const entries = roster.entries()
      const isConnected = entries.some((entry) => entry.state !== 'failed')
      return !isConnected || entries.some((entry) => entry.state === 'failed' && entry.failures < mostFailures)
    },
    settle: timing.settle,
    poll: timing.poll,
    onError: (cause) => log.error('a scanner job failed', { cause }),
  })

  async function look(): Promise<void> {
    const listed = await settleWithin(layer.hid.devices(), timing.longestCall, signal)
    if (isStopped()) return
    if (listed.status !== 'fulfilled') {
      // Without devices the list is empty, so a rejection means that the library could not be loaded.
      const problem = listed.status === 'rejected' ? 'scanner/missing-library' : 'scanner/cannot-list'
      if (problem !== listing.problem)
        log.warn(problem, { remedy: remedies[problem], cause: listed.status === 'rejected' && listed.reason })
      listing.problem = problem
      announce()
      return
    }
    listing.problem = null
    const candidates = candidatesAmong(listed.value)
    for (const entry of roster.missingFrom(candidates)) await leave(entry)
    for (const candidate of candidates) await attach(candidate, candidates)
    announce()
  }

  async function attach(candidate: Candidate, listed: readonly Candidate[]): Promise<void> {
    if (isStopped()) return
    const entry = roster.entryFor(candidate, listed)
    if (entry.open) return
    // A failed scanner keeps showing its problem until it opens, instead of flickering at each try.
    if (isLost(entry)) show(entry, 'opening')
    else announce()
    const opening = ++entry.opening
    const { hid } = layer
    const { flush, longestCall } = timing
    const events = eventsOf(entry, opening)
    const opened = await openScanner({ hid, candidate, events, clock, flush, longestCall, signal })
    if (!opened.ok) {
      entry.failures++
      show(entry, 'failed', opened.error.problem, opened.error.cause)
      return
    }
    if (isStopped() || entry.opening !== opening) {
      await opened.value.close()
      return
    }
    entry.open = opened.value
    show(entry, 'opening')
  }

  function eventsOf(entry: RosterEntry, opening: number): ScannerEvents {
    const isHeard = () => entry.opening === opening && !isStopped()
    return {
      onReady() {
        if (!isHeard()) return
        entry.readyAt = clock.now()
        entry.hasWorked = true
        log.info('scanner ready', { scanner: entry.candidate.name })
        show(entry, 'ready')
      },
      onScan({ text, symbology }) {
        if (!isHeard()) return
        entry.scans++
        entry.lastScanAt = clock.now()
        entry.failures = 0
        show(entry, 'ready')
        try {
          onScan({ text, symbology, device: { id: entry.id, name: entry.candidate.name } })
        } catch (cause) {
          // node-hid would report it as an error of the device.
          log.error('a scan was not taken', { cause })
        }
      },
      onTrouble(trouble) {
        if (isHeard()) show(entry, 'ready', trouble)
      },
      onLost(problem, cause) {
        if (!isHeard()) return
        entry.opening++
        // A scanner that fails right after opening must not be reopened in a loop.
        const isSudden = entry.readyAt === null || clock.now() - entry.readyAt < timing.poll
        entry.failures = isSudden ? entry.failures + 1 : 0
        show(entry, 'failed', problem, cause)
        void lookout.queue(() => close(entry))
        if (isSudden) lookout.later()
        else lookout.soon()
      },
    }
  }

  /** A scanner is no longer listed. If it has worked, it stays in the view, so that people see that it is gone. */
  async function leave(entry: RosterEntry): Promise<void> {
    entry.opening++
    entry.failures++
    await close(entry)
    if (entry.hasWorked) show(entry, 'failed', 'scanner/lost')
    else roster.remove(entry)
  }

  async function close(entry: RosterEntry): Promise<void> {
    const { open } = entry
    entry.open = undefined
    entry.readyAt = null
    await open?.close()
  }

  function show(
    entry: RosterEntry,
    state: RosterEntry['state'],
    problem: ScannerProblem | null = null,
    cause?: unknown,
  ) {
    if (isStopped()) return
    if (problem && problem !== entry.problem) {
      log.warn(problem, { scanner: entry.candidate.name, remedy: remedies[problem], cause })
    }
    entry.state = state
    entry.problem = problem
    announce()
  }

  function view(): ScannersView {
    const { problem, hasNews } = listing
    return {
      library: problem === 'scanner/missing-library' ? 'missing' : hasNews ? 'ok' : 'no-usb',
      problem: problem ?? (hasNews ? null : 'scanner/no-usb'),
      devices: roster.view(),
    }
  }

  function announce() {
    const next = view()
    const text = JSON.stringify(next)
    if (isStopped() || text === announced) return
    announced = text
    onChange(next)
  }

  return {
    /** Returns at once; scanners are found and opened in the background. */
    start() {
      lookout.now()
      layer.usb.watch(onNews).then(
        (stop) => {
          if (isStopped()) stop()
          else stopNews = stop
        },
        (cause: unknown) => {
          if (isStopped()) return
          log.info('no news of USB devices', { cause })
          listing.hasNews = false
          announce()
        },
      )
      function onNews() {
        for (const entry of roster.entries()) entry.failures = 0
        lookout.soon()
      }
    },
    /** Looks for scanners now and forgets the lost ones, when a person asks. */
    look() {
      for (const entry of roster.entries()) {
        if (isLost(entry)) roster.remove(entry)
        else entry.failures = 0
      }
      announce()
      lookout.now()
    },
    view,
    /** Closes every scanner. Resolves when that is done; no events afterwards. */
    async stop() {
      stopping.abort()
      lookout.stop()
      stopNews?.()
      stopNews = undefined
      await lookout.queue(async () => {
        // Side by side, so that ten hanging scanners take no longer than one.
        await Promise.all(roster.entries().map(close))
      })
    },
  }
}
