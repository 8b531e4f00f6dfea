import type { AppError } from '../../src-shared/errors'
import type { OperationId, TagId } from '../../src-shared/ids'
import type { Scan, WedgeTrouble } from '../../src-shared/scan/meaning'
import { explain } from '../text/errors'
import type { Text } from '../text/text.svelte'
import { readBy } from './scan-text'
import type { OutcomeTone, Sound } from './sounds'

/** `working` until the answer is there. The others are outcomes: colour, icon, word and sound. */
type Tone = 'working' | OutcomeTone

/** A next step that the strip offers as a button. */
export interface StripAction {
  label: Text
  run: () => void
  /** Whether the step still makes sense: the screen or the order may have changed since the scan. */
  isOffered: () => boolean
}

/** What a scan turned out to be. */
export interface ScanOutcome {
  tone: OutcomeTone
  /** Instead of the sound of its tone. */
  sound?: Sound
  what: Text
  detail?: Text
  /** Takes the scan back and says what is there afterwards. */
  undo?: () => Promise<ScanOutcome>
  actions?: StripAction[]
  /** Something else has made the sound. */
  isSilent?: boolean
  /** The item that was scanned: what becomes known of it later belongs in the same notice. */
  about?: TagId
  /** The report that the scan made: what becomes of it is shown in the same notice. */
  report?: OperationId
  /** Not shown once the notice of its scan is gone. */
  isMinor?: boolean
  /** The screen in front says it too: once the notice of its scan is gone, it only sounds. */
  isBeside?: boolean
}

export interface ScanNotice {
  seq: number
  at: string
  tone: Tone
  what: Text
  detail: Text | null
  /** The device that read it; null for a scanner that types. */
  by: Text | null
  /** Problems with its keys. */
  troubles: WedgeTrouble[]
  undo: (() => Promise<ScanOutcome>) | null
  actions: StripAction[]
  about: TagId | null
  report: OperationId | null
  /** What it says became known when it wasn't in front: nothing has said it yet. */
  isLate: boolean
}

/** What the strip shows of a scan; a text that did not become one has the number 0. */
type NoticedScan = Pick<Scan, 'seq' | 'at'> & Partial<Pick<Scan, 'source' | 'device' | 'troubles'>>

/** So many scans may wait for their answers after newer ones replaced them in the strip: a refusal is still shown. */
const mostOvertaken = 50

const thisMoment = (): string => new Date().toISOString()

const bare = (scan: NoticedScan, what: Text): ScanNotice => ({
  seq: scan.seq,
  at: scan.at,
  tone: 'working',
  what,
  detail: null,
  by: readBy(scan),
  troubles: scan.troubles ?? [],
  undo: null,
  actions: [],
  about: null,
  report: null,
  isLate: false,
})

/** The notice with its outcome. A late answer about the same item keeps the undo of its scan. */
const settled = (notice: ScanNotice, outcome: ScanOutcome): ScanNotice => ({
  ...notice,
  tone: outcome.tone,
  what: outcome.what,
  detail: outcome.detail ?? null,
  undo: outcome.undo ?? (outcome.about !== undefined && outcome.about === notice.about ? notice.undo : null),
  actions: outcome.actions ?? [],
  about: outcome.about ?? null,
  report: outcome.report ?? null,
})

const late = (notice: ScanNotice, outcome: ScanOutcome): ScanNotice => ({ ...settled(notice, outcome), isLate: true })

/** Whether a notice waits for the person: a refusal, a problem of the scanner, a next step that is offered, or no answer yet. */
export const isWaiting = ({ tone, troubles, actions }: ScanNotice): boolean =>
  tone === 'working' || tone === 'bad' || troubles.length > 0 || actions.some(({ isOffered }) => isOffered())

/** The strip above every screen: one notice per scan, updated in place; the last scan and the one before. */
export class ScanStrip {
  current = $state.raw<ScanNotice | null>(null)
  previous = $state.raw<ScanNotice | null>(null)
  /** Scans since this screen or order was opened, to compare with the pile of items. */
  count = $state(0)
  readonly #play: (sound: Sound) => void
  /** Scans that were overtaken before their answer came, newest first. */
  #overtaken: ScanNotice[] = []
  /** The scan that is being undone, or whose next step is being taken. */
  #acting: number | null = null
  /** The last scan, once its notice has been taken away as old: it can still be undone. */
  #rested: ScanNotice | null = null

  constructor(play: (sound: Sound) => void) {
    this.#play = play
  }

  /** Shows that a scan was read, before its outcome is known. */
  begin(scan: NoticedScan, what: Text): void {
    if (scan.seq > 0) this.count++
    if (this.previous?.tone === 'working') this.#overtaken = [this.previous, ...this.#overtaken].slice(0, mostOvertaken)
    this.previous = this.current
    this.#rested = null
    this.current = bare(scan, what)
  }

  /** A notice in sight waits for the person to say that it was read. */
  get isToRead(): boolean {
    return [this.current, this.previous].some((one) => one !== null && one.tone !== 'working' && isWaiting(one))
  }

  /** Undoes the last scan; null if that is not possible. */
  get undoLast(): ScanNotice['undo'] {
    return (this.current ?? this.#rested)?.undo ?? null
  }

  /**
   * Shows the outcome of a scan in its own notice, never in a newer scan's. If two newer scans have replaced the notice,
   * only a refusal is still shown, in place of the earlier one: the person believes that the scan went well.
   */
  settle(seq: number, outcome: ScanOutcome): void {
    const overtaken = this.#overtaken.find((notice) => notice.seq === seq)
    this.#overtaken = this.#overtaken.filter((notice) => notice.seq !== seq)
    const isShown = this.#renew((notice) => notice.seq === seq, outcome)
    if (!isShown && overtaken && outcome.tone === 'bad') this.previous = late(overtaken, outcome)
    if ((isShown || outcome.tone === 'bad') && !outcome.isSilent) this.#play(outcome.sound ?? outcome.tone)
  }

  /** Shows an outcome that became known later, of an item scanned at `at` (ISO 8601). */
  late(about: TagId, at: string, outcome: ScanOutcome): void {
    const isShown = this.#renew((notice) => notice.about === about, outcome)
    if (!isShown && outcome.isMinor) return
    if (!isShown && !outcome.isBeside) this.tell(outcome, at)
    else if (!outcome.isSilent) this.#play(outcome.sound ?? outcome.tone)
  }

  /**
   * Shows an outcome whose scan is gone, or that had none, in place of the earlier one; a refusal in front if nothing else is
   * there. `at`: ISO 8601.
   */
  tell(outcome: ScanOutcome, at = thisMoment()): void {
    const notice = settled(bare({ seq: 0, at }, outcome.what), outcome)
    if (outcome.tone === 'bad' && this.current === null) this.current = notice
    else this.previous = { ...notice, isLate: true }
    if (!outcome.isSilent) this.#play(outcome.sound ?? outcome.tone)
  }

  /** False if the notice is no longer shown. */
  #renew(isMeant: (notice: ScanNotice) => boolean, outcome: ScanOutcome): boolean {
    if (this.current && isMeant(this.current)) this.current = settled(this.current, outcome)
    else if (this.previous && isMeant(this.previous)) this.previous = late(this.previous, outcome)
    else return false
    return true
  }

  /** Shows what became of a report in the notice of the scan that made it, if that is still shown; null: is shown elsewhere. */
  reported(id: OperationId, outcome: ScanOutcome | null): void {
    if (outcome) this.#renew((notice) => notice.report === id, outcome)
    else this.#drop((notice) => notice.report === id)
  }

  /**
   * Something else than a scan has changed the screen: what the notices say may not be so any more. A scan whose answer is
   * awaited keeps its notice.
   */
  clear(): void {
    this.#drop(() => true)
  }

  /** The person has read what waits for them. A later scan that went well keeps its notice. */
  seen(): void {
    if (this.previous && this.previous.tone !== 'working' && isWaiting(this.previous)) this.previous = null
    if (this.current && isWaiting(this.current)) this.clear()
  }

  /** Takes the notices away as old, unless one of them waits for the person. The last scan can still be undone. */
  rest(): void {
    const { current, previous } = this
    if (current && (isWaiting(current) || current.seq === this.#acting)) return
    if (previous && isWaiting(previous)) return
    this.#rested = current ?? this.#rested
    this.current = null
    this.previous = null
  }

  /** The notice that is gone as old is in front again: something is done about it. */
  #wake(): void {
    this.current ??= this.#rested
    this.#rested = null
  }

  /** Items left the order, maybe on another page: "added" is not so any more, and there is nothing to undo. */
  itemsGone(tagIds: readonly TagId[]): void {
    this.#drop(({ about }) => about !== null && tagIds.includes(about))
  }

  #drop(isOver: (notice: ScanNotice) => boolean): void {
    const stays = (notice: ScanNotice) => notice.tone === 'working' || notice.seq === this.#acting || !isOver(notice)
    if (this.current && !stays(this.current)) {
      this.current = null
      // A late refusal was announced beside the notice that goes.
      if (this.previous?.tone === 'bad') this.previous = { ...this.previous, isLate: false }
    }
    if (this.previous && !stays(this.previous)) this.previous = null
    if (this.#rested && !stays(this.#rested)) this.#rested = null
  }

  /** The order is closed: its scans can't be undone any more. */
  retire(): void {
    this.clear()
    this.recount()
  }

  /** Another screen or order: restarts the count. */
  recount(): void {
    this.count = 0
  }

  /** The person goes to another screen: what was said on the one before is old, and the count starts again. */
  leave(): void {
    this.rest()
    this.recount()
  }

  /** Takes a next step of the last scan, and shows its outcome in the same notice. */
  async act(step: () => Promise<ScanOutcome>): Promise<void> {
    this.#wake()
    const seq = this.current?.seq
    this.#acting = seq ?? null
    const outcome = await step()
    this.#acting = null
    if (seq !== undefined) this.settle(seq, outcome)
  }

  /** Undoes the last scan, if possible. */
  async undo(): Promise<void> {
    if (!this.undoLast) return
    this.#wake()
    const notice = this.current
    if (!notice?.undo) return
    // At once, so that a second press does not undo twice.
    this.current = { ...notice, undo: null }
    await this.act(notice.undo)
  }
}

/** A failure as an outcome for the strip. */
export function refusal(error: AppError, actions: StripAction[] = [], tone: OutcomeTone = 'bad'): ScanOutcome {
  const { what, means } = explain(error)
  return { tone, what, detail: means, actions }
}

/** The same with the next step: nothing beside the strip says it. */
export function refusalWithNext(error: AppError, actions: StripAction[] = []): ScanOutcome {
  const { means, next } = explain(error)
  return { ...refusal(error, actions), detail: { key: 'scan.refused.detail', values: { means, next } } }
}
