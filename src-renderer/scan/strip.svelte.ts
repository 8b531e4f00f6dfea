import type { AppError } from '../../src-shared/errors'
import type { Scan } from '../../src-shared/scan/meaning'
import type { WedgeTrouble } from '../../src-shared/scan/trouble'
import { explain } from '../messages/errors'
import type { Text } from '../messages/text.svelte'
import type { Sound } from './sounds'

/** `working` until the answer is there. The others are outcomes: colour, icon, word and sound. */
export type Tone = 'working' | Sound

/** A next step that the strip offers as a button. */
export interface StripAction {
  label: Text
  run: () => void
  /** Whether the step still makes sense: the screen or the order may have changed since the scan. */
  isOffered: () => boolean
}

/** What a scan turned out to be. */
export interface Outcome {
  tone: Sound
  what: Text
  detail?: Text
  /** Takes the scan back and says what is there afterwards. */
  undo?: () => Promise<Outcome>
  actions?: StripAction[]
  /** Something else has made the sound. */
  isSilent?: boolean
}

export interface ScanNotice {
  seq: number
  at: string
  tone: Tone
  what: Text
  detail: Text | null
  /** What read it, where that is not a scanner that types. */
  by: Text | null
  /** What was amiss with its keys. */
  troubles: WedgeTrouble[]
  undo: (() => Promise<Outcome>) | null
  actions: StripAction[]
}

/** What the strip takes of a scan; a text that did not become one has the number 0. */
export type NoticedScan = Pick<Scan, 'seq' | 'at'> & Partial<Pick<Scan, 'source' | 'device' | 'troubles'>>

/** Who read a scan, in words; null for a scanner that types, the usual one. */
export function readBy({ source, device }: Partial<Pick<Scan, 'source' | 'device'>>): Text | null {
  if (source === undefined || source === 'wedge') return null
  if (source === 'hid') return device == null ? null : { key: 'scan.by.device', values: { device } }
  return { key: `scan.by.${source}` }
}

/** The strip above every screen: one notice per scan, updated in place; the last scan and the one before. */
export class ScanStrip {
  current = $state.raw<ScanNotice | null>(null)
  previous = $state.raw<ScanNotice | null>(null)
  /** Scans since this screen or order was begun. Whoever scans fast checks it against the pile. */
  count = $state(0)
  readonly #play: (sound: Sound) => void

  constructor(play: (sound: Sound) => void) {
    this.#play = play
  }

  /** Shows that a scan was read, before anything is known of it. */
  begin(scan: NoticedScan, what: Text): void {
    const { seq, at, troubles = [] } = scan
    if (seq > 0) this.count++
    this.previous = this.current
    this.current = {
      seq,
      at,
      tone: 'working',
      what,
      detail: null,
      by: readBy(scan),
      troubles,
      undo: null,
      actions: [],
    }
  }

  /** Says what became of a scan. A slow answer lands in its own notice and never over a newer scan's. */
  settle(seq: number, outcome: Outcome): void {
    const settled = (notice: ScanNotice): ScanNotice => ({
      ...notice,
      tone: outcome.tone,
      what: outcome.what,
      detail: outcome.detail ?? null,
      undo: outcome.undo ?? null,
      actions: outcome.actions ?? [],
    })
    if (this.current?.seq === seq) this.current = settled(this.current)
    else if (this.previous?.seq === seq) this.previous = settled(this.previous)
    if (!outcome.isSilent) this.#play(outcome.tone)
  }

  /** The order is closed: what the last scan did to it can't be undone any more, and its next steps are over. */
  retire(): void {
    if (this.current) this.current = { ...this.current, undo: null, actions: [] }
    this.recount()
  }

  /** Another screen or order: what is scanned from now on is counted anew. */
  recount(): void {
    this.count = 0
  }

  /** Takes the last scan back, when it can be. */
  async undo(): Promise<void> {
    const notice = this.current
    if (!notice?.undo) return
    // At once, so that a second press does not undo twice.
    this.current = { ...notice, undo: null }
    this.settle(notice.seq, await notice.undo())
  }
}

/** How a failure reads in the strip. */
export function refusal(error: AppError, actions: StripAction[] = [], tone: Sound = 'bad'): Outcome {
  const { what, means } = explain(error)
  return { tone, what, detail: means, actions }
}
