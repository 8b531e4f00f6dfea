import type { PosDayPart } from '../../src-shared/ipc/contract/pos-day'
import { err, ok } from '../../src-shared/result'
import type { Clock } from '../core/clock'
import { saved } from '../database/saved'
import type { PosDayRows } from './pos-day-rows'

/** A file that is arriving. `rows`: so many have come. */
interface Arriving {
  day: string
  fileName: string
  load: number
  rows: number
}

/** A file of the POS's sales as it arrives in parts, and the lines of files that don't count any more. */
export class PosLoading {
  readonly #rows: PosDayRows
  readonly #clock: Clock
  #arriving: Arriving | null = null

  constructor(rows: PosDayRows, clock: Clock) {
    this.#rows = rows
    this.#clock = clock
  }

  /** Stores the next part. After the last one this is the day's file. */
  take({ day, file, start, rows: part, isLast }: PosDayPart) {
    if (start === 0) this.#arriving = { day, fileName: file.fileName, load: this.#rows.nextLoad(), rows: 0 }
    const arriving = this.#arriving
    const isNext = arriving?.day === day && arriving.fileName === file.fileName && arriving.rows === start
    if (!isNext) {
      this.#arriving = null
      return err({ code: 'pos-day/broken' as const })
    }
    const { load } = arriving
    arriving.rows += part.length
    const kept = saved(() => {
      this.#rows.add(load, part, file.hasProducts)
      if (isLast) this.#rows.finish(day, load, file, this.#clock.now())
      return ok(null)
    })
    if (!kept.ok || isLast) this.#arriving = null
    return kept
  }

  /** Deletes some lines that don't count. Returns whether there may be more. A file that is arriving has the highest load. */
  sweep(): boolean {
    return this.#rows.sweep(this.#arriving?.load ?? this.#rows.nextLoad())
  }
}
