import type { ScannerProblem, ScannersView } from '../../src-shared/ipc/scanner-view'
import type { Clock } from '../clock'
import type { Log } from '../log'
import { type ScannerEvents, openScanner } from './hid-scanner'
import { inTime } from './in-time'
import type { ScannerLayer } from './layer'
import { createLookout } from './lookout'
import { type Candidate, candidatesAmong } from './matching'
import { remedies } from './problems'
import { createQueue } from './queue'
import { type RosterEntry, createRoster, isLost } from './roster'
import type { ScannerSource, SourceScan } from './source'

/** All in ms. */
export interface HidTiming {
  /** Reports that come so soon after opening were queued while nobody read them. */
  flush: number
  /** From a plug to the look at the devices: drivers and rights need a moment. */
  settle: number
  /** Between two looks while no scanner is connected. Listing devices costs: with a scanner there is none. */
  poll: number
  /** A call to a device that takes longer is given up. */
  longestCall: number
}

export const defaultTiming: HidTiming = { flush: 250, settle: 500, poll: 5_000, longestCall: 5_000 }

/** Beside a scanner that works, one that does not is tried so often; alone it is tried at each poll. */
const mostFailures = 3

export interface HidSourceParts {
  layer: ScannerLayer
  clock: Clock
  log: Log
  onScan: (scan: SourceScan) => void
  /** Told of every change of the view. */
  onChange?: (view: ScannersView) => void
  timing?: HidTiming
}

/** HID POS scanners: finds them, opens them, and gives their scans. What holds whatever happens: scanner.md. */
export function createHidSource(parts: HidSourceParts): ScannerSource {
  const { layer, clock, log, onScan, onChange = () => undefined, timing = defaultTiming } = parts
  const stopping = new AbortController()
  const { signal } = stopping
  const isStopped = () => signal.aborted
  const roster = createRoster()
  // Attaching and detaching never overlap: the same path may be closed and opened again.
  const queue = createQueue((cause) => log.error('a scanner job failed', { cause }))
  const listing: { problem: ScannerProblem | null; hasNews: boolean } = { problem: null, hasNews: true }
  let stopNews: (() => void) | undefined
  let announced = ''

  const lookout = createLookout({
    queue,
    look,
    isWanted() {
      const entries = roster.entries()
      const isConnected = entries.some((entry) => entry.state !== 'failed')
      return !isConnected || entries.some((entry) => entry.state === 'failed' && entry.failures < mostFailures)
    },
    settle: timing.settle,
    poll: timing.poll,
  })

  async function look(): Promise<void> {
    const listed = await inTime(layer.hid.devices(), timing.longestCall, signal)
    if (isStopped()) return
    if (listed.kind !== 'done') {
      // A system without devices gives an empty list: what fails is the loading.
      const problem = listed.kind === 'failed' ? 'scanner/missing-library' : 'scanner/cannot-list'
      if (problem !== listing.problem)
        log.warn(problem, { remedy: remedies[problem], cause: listed.kind === 'failed' && listed.cause })
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
    // One that failed shows its problem until it opens, instead of flickering at each try.
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
          // node-hid would take it for an error of the device.
          log.error('a scan was not taken', { cause })
        }
      },
      onTrouble(trouble) {
        if (isHeard()) show(entry, 'ready', trouble)
      },
      onLost(problem, cause) {
        if (!isHeard()) return
        entry.opening++
        // One that fails as soon as it is open must not be opened in a ring.
        const isSudden = entry.readyAt === null || clock.now() - entry.readyAt < timing.poll
        entry.failures = isSudden ? entry.failures + 1 : 0
        show(entry, 'failed', problem, cause)
        void queue.add(() => letGo(entry))
        if (isSudden) lookout.later()
        else lookout.soon()
      },
    }
  }

  /** For one that is not listed any more. What worked before stays in the view, so that people see that it is gone. */
  async function leave(entry: RosterEntry): Promise<void> {
    entry.opening++
    entry.failures++
    await letGo(entry)
    if (entry.hasWorked) show(entry, 'failed', 'scanner/lost')
    else roster.remove(entry)
  }

  async function letGo(entry: RosterEntry): Promise<void> {
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
    start() {
      lookout.now()
      layer.usb.watch(onNews).then(
        (stop) => {
          if (isStopped()) stop()
          else stopNews = stop
        },
        (cause: unknown) => {
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
    look() {
      for (const entry of roster.entries()) {
        if (isLost(entry)) roster.remove(entry)
        else entry.failures = 0
      }
      announce()
      lookout.now()
    },
    view,
    async stop() {
      stopping.abort()
      lookout.stop()
      stopNews?.()
      stopNews = undefined
      await queue.add(async () => {
        // All at once: one that hangs is given up after the longest call, and so are ten.
        await Promise.all(roster.entries().map(letGo))
      })
    },
  }
}
