import type { ScannerProblem, ScannerView } from '../../src-shared/ipc/scanner-view'
import { iso } from '../clock'
import type { OpenScanner } from './hid-scanner'
import { type Candidate, isSameModel } from './matching'

/** A scanner that we have seen, plugged in or not. */
export interface RosterEntry {
  readonly id: string
  candidate: Candidate
  state: ScannerView['state']
  problem: ScannerProblem | null
  lastScanAt: number | null
  scans: number
  open: OpenScanner | undefined
  /** Counts its openings: what an earlier one still tells is not heard. */
  opening: number
  /** Openings that failed in a row. */
  failures: number
  readyAt: number | null
  hasWorked: boolean
}

/** Which scanners there are. Only remembers; opening and closing are `hid.ts`. */
export interface Roster {
  entries(): readonly RosterEntry[]
  /** The entry of a scanner that is plugged in: a known one that came back, or a new one. */
  entryFor(candidate: Candidate, listed: readonly Candidate[]): RosterEntry
  /** Those that are not listed. */
  missingFrom(listed: readonly Candidate[]): RosterEntry[]
  remove(entry: RosterEntry): void
  view(): ScannerView[]
}

export function createRoster(): Roster {
  let entries: RosterEntry[] = []
  let count = 0
  const isListed = (entry: RosterEntry, listed: readonly Candidate[]) =>
    listed.some((candidate) => isSamePlace(entry.candidate, candidate))

  return {
    entries: () => entries,
    entryFor(candidate, listed) {
      // Two of a model may even share a serial number: the place comes first, and what is listed did not move.
      const known =
        entries.find((entry) => isSamePlace(entry.candidate, candidate)) ??
        entries.find((entry) => !isListed(entry, listed) && isSameModel(entry.candidate, candidate))
      if (known) {
        known.candidate = candidate
        return known
      }
      const entry: RosterEntry = {
        id: `hid-${++count}`,
        candidate,
        state: 'opening',
        problem: null,
        lastScanAt: null,
        scans: 0,
        open: undefined,
        opening: 0,
        failures: 0,
        readyAt: null,
        hasWorked: false,
      }
      entries = [...entries, entry]
      return entry
    },
    missingFrom: (listed) => entries.filter((entry) => !isListed(entry, listed)),
    remove(gone) {
      entries = entries.filter((entry) => entry !== gone)
    },
    view: () =>
      entries.map(({ id, candidate, state, problem, lastScanAt, scans }) => ({
        id,
        name: candidate.name,
        source: 'hid',
        state,
        problem,
        lastScanAt: lastScanAt === null ? null : iso(lastScanAt),
        scans,
      })),
  }
}

export const isLost = (entry: RosterEntry) => entry.state === 'failed' && entry.problem === 'scanner/lost'

/** The next device may get the same path. */
const isSamePlace = (a: Candidate, b: Candidate) => a.path === b.path && isSameModel(a, b)
