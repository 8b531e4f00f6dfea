import { z } from 'zod'
import type { ScannerProblem, ScannerView } from '../../src-shared/ipc/contract/scanner'
import { iso } from '../core/clock'

/** A HID POS scanner that is plugged in. */
export interface Candidate {
  /** Opens the device. The system may reuse it for another device later. */
  path: string
  vendorId: number
  productId: number
  /** Often missing, and often the same for every scanner of a model. */
  serial: string | null
  name: string
}

/** USB HID Point of Sale Usage Tables: page and usage "bar code scanner". */
const scanner = { usagePage: 0x8c, usage: 0x02 }
/** Usage page "generic desktop": keyboard and keypad. */
const keyboards = { usagePage: 0x01, usages: [0x06, 0x07] }

const longestName = 80

const DeviceText = z.string().nullish()
const DeviceEntry = z.object({
  path: z.string().min(1),
  vendorId: z.number().int().nonnegative(),
  productId: z.number().int().nonnegative(),
  serialNumber: DeviceText,
  manufacturer: DeviceText,
  product: DeviceText,
  usagePage: z.number().int(),
  usage: z.number().int(),
})
type DeviceEntry = z.infer<typeof DeviceEntry>

/**
 * The scanners among the listed devices, by path. A path that is a keyboard too is skipped: reading it fails on Windows and
 * needs a permission on macOS.
 */
export function candidatesAmong(listed: readonly unknown[]): Candidate[] {
  const entries = listed
    .map((entry) => DeviceEntry.safeParse(entry))
    .flatMap((parsed) => (parsed.success ? [parsed.data] : []))
  const typing = new Set(entries.filter(isKeyboard).map((entry) => entry.path))
  const found = new Map<string, Candidate>()
  for (const entry of entries) {
    if (isScanner(entry) && !typing.has(entry.path)) found.set(entry.path, candidate(entry))
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** Whether two candidates can be the same device, perhaps at another socket. */
const isSameModel = (a: Candidate, b: Candidate) =>
  a.vendorId === b.vendorId && a.productId === b.productId && a.serial === b.serial

const isScanner = (entry: DeviceEntry) => entry.usagePage === scanner.usagePage && entry.usage === scanner.usage

const isKeyboard = (entry: DeviceEntry) =>
  entry.usagePage === keyboards.usagePage && keyboards.usages.includes(entry.usage)

function candidate({ path, vendorId, productId, serialNumber, manufacturer, product }: DeviceEntry): Candidate {
  const maker = cleaned(manufacturer)
  const model = cleaned(product)
  const repeats = model.toLowerCase().startsWith(maker.toLowerCase())
  const name = (repeats ? model : `${maker} ${model}`).trim().slice(0, longestName)
  return {
    path,
    vendorId,
    productId,
    serial: cleaned(serialNumber) || null,
    name: name === '' ? `Scanner ${hex(vendorId)}:${hex(productId)}` : name,
  }
}

/** Without the control characters and padding of device texts. */
const cleaned = (text: string | null | undefined) => (text ?? '').replaceAll(/[\p{C}\s]+/gu, ' ').trim()

const hex = (id: number) => id.toString(16).padStart(4, '0')

/** A scanner that was seen, plugged in or not. */
export interface RosterEntry {
  readonly id: string
  candidate: Candidate
  state: ScannerView['state']
  problem: ScannerProblem | null
  lastScanAt: number | null
  scans: number
  open: { close(): Promise<void> } | undefined
  /** Counts its openings; events of an earlier opening are ignored. */
  opening: number
  /** Failed openings in a row. */
  failures: number
  readyAt: number | null
  hasWorked: boolean
}

/** Remembers which scanners there are; `hid.ts` opens and closes them. */
export class Roster {
  #entries: RosterEntry[] = []
  #count = 0

  entries(): readonly RosterEntry[] {
    return this.#entries
  }

  /** The entry of a plugged-in scanner: a known one that came back, or a new one. */
  entryFor(candidate: Candidate, listed: readonly Candidate[]): RosterEntry {
    // Scanners of a model may even share a serial number: same path first, then a known one whose path is gone.
    const known =
      this.#entries.find((entry) => isSamePlace(entry.candidate, candidate)) ??
      this.#entries.find((entry) => !isListed(entry, listed) && isSameModel(entry.candidate, candidate))
    if (known) {
      known.candidate = candidate
      return known
    }
    const entry: RosterEntry = {
      id: `hid-${++this.#count}`,
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
    this.#entries = [...this.#entries, entry]
    return entry
  }

  missingFrom(listed: readonly Candidate[]): RosterEntry[] {
    return this.#entries.filter((entry) => !isListed(entry, listed))
  }

  remove(gone: RosterEntry): void {
    this.#entries = this.#entries.filter((entry) => entry !== gone)
  }

  view(): ScannerView[] {
    return this.#entries.map(({ id, candidate, state, problem, lastScanAt, scans }) => ({
      id,
      name: candidate.name,
      source: 'hid',
      state,
      problem,
      lastScanAt: lastScanAt === null ? null : iso(lastScanAt),
      scans,
    }))
  }
}

const isListed = (entry: RosterEntry, listed: readonly Candidate[]) =>
  listed.some((candidate) => isSamePlace(entry.candidate, candidate))

export const isLost = (entry: RosterEntry) => entry.state === 'failed' && entry.problem === 'scanner/lost'

/** The model is compared as well, because another device may get the same path. */
const isSamePlace = (a: Candidate, b: Candidate) => a.path === b.path && isSameModel(a, b)
