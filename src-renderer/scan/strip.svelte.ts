import type { AppError } from '../../src-shared/errors'
import type { Scan } from '../../src-shared/scan/meaning'
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
}

export interface ScanNotice {
  seq: number
  at: string
  tone: Tone
  what: Text
  detail: Text | null
  undo: (() => Promise<Outcome>) | null
  actions: StripAction[]
}

/** The strip above every screen: one notice per scan, updated in place; the last scan and the one before. */
export class ScanStrip {
  current = $state.raw<ScanNotice | null>(null)
  previous = $state.raw<ScanNotice | null>(null)
  readonly #play: (sound: Sound) => void

  constructor(play: (sound: Sound) => void) {
    this.#play = play
  }

  /** Shows that a scan was read, before anything is known of it. */
  begin(scan: Pick<Scan, 'seq' | 'at'>, what: Text): void {
    this.previous = this.current
    this.current = { seq: scan.seq, at: scan.at, tone: 'working', what, detail: null, undo: null, actions: [] }
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
    this.#play(outcome.tone)
  }

  /** The order is closed: what the last scan did to it can't be undone any more, and its next steps are over. */
  retire(): void {
    if (this.current) this.current = { ...this.current, undo: null, actions: [] }
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
