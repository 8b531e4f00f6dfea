import type { Hub } from '../../hub/port'
import type { ScannedBy } from './station-tally'

interface ElsewhereContext<Count> {
  hub: Pick<Hub, 'view' | 'onSituation'>
  /** Asks the hub; undefined without an answer. */
  read: () => Promise<readonly Count[] | undefined>
  isStopped: () => boolean
  announce: () => void
}

/** Counts under way at other stations, as the hub said last. Without the hub they can't be joined, and may be finished. */
export class OpenElsewhere<Count> {
  readonly #context: ElsewhereContext<Count>
  #counts: readonly Count[] = []
  readonly stop: () => void

  constructor(context: ElsewhereContext<Count>) {
    this.#context = context
    this.stop = context.hub.onSituation(() => {
      if (context.hub.view().situation === 'online' || this.#counts.length === 0) return
      this.#counts = []
      context.announce()
    })
  }

  get counts(): readonly Count[] {
    return this.#counts
  }

  async read(): Promise<void> {
    const { read, isStopped, announce } = this.#context
    const found = await read()
    if (!found || isStopped()) return
    this.#counts = found
    announce()
  }

  /** Leaves out those that have ended here. */
  leaveOut(isOver: (count: Count) => boolean): void {
    this.#counts = this.#counts.filter((one) => !isOver(one))
  }
}

/**
 * The other stations that may have scans of a shared count that are not here, by name: those that the hub names, without an
 * answer all that counted.
 */
export async function stationsBehind(
  asked: Promise<readonly { name: string }[] | undefined>,
  counted: () => ScannedBy,
): Promise<string[]> {
  const behind = await asked
  return behind ? behind.map(({ name }) => name) : counted().flatMap(({ station }) => station ?? [])
}
