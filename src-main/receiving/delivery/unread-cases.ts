import { z } from 'zod'
import { UnreadCase } from '../../../src-shared/ipc/contract/delivery'
import type { Settings } from '../../database/settings'

const name = 'receiving.unread-cases'

/** More than a store scans in the longest outage; of more, the oldest are left out. */
const mostKept = 2_000

const { scanned, error } = UnreadCase.shape
/** The reasons of another version may be unknown to this one: the case itself is kept. */
const Kept = z.array(z.object({ scanned, error: error.catch({ code: 'service/unreachable' }) }))

/** Scanned cases that the service could not be asked about, until they are found, imported or discarded. */
export class UnreadCases {
  readonly #settings: Settings

  constructor(settings: Settings) {
    this.#settings = settings
  }

  /** Oldest first. */
  list(): UnreadCase[] {
    return this.#settings.read(name, Kept) ?? []
  }

  /** In place of an earlier scan of the same code. A disk error is logged: the scan is answered with what the service said. */
  note(unread: UnreadCase): void {
    this.#settings.keep(name, [...this.#without(unread.scanned), unread].slice(-mostKept))
  }

  /** Throws if the disk refuses. */
  forget(code: string): void {
    const kept = this.#without(code)
    if (kept.length < this.list().length) this.#settings.write(name, kept)
  }

  #without(code: string): UnreadCase[] {
    return this.list().filter((one) => one.scanned !== code)
  }
}
