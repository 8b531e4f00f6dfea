import type { Database } from 'better-sqlite3'
import { type EventName, type EventPayload, isEventName } from '../src-shared/ipc/contract'
import type { Events } from './ipc/handlers'
import type { Log } from './log'
import type { Operation } from './outbox/operation'

/**
 * What happened in main, besides what pages are told too (`events` of the contract). An event says what changed; who needs
 * more reads it. Told after the commit, never inside a transaction.
 */
export interface Happened {
  /** An operation was saved, or is in another state. */
  'operation.changed': Operation
}

/** Every event that a part of main may emit or listen to. */
export type MainEvent = Happened & { [Name in EventName]: EventPayload<Name> }
export type MainEventName = keyof MainEvent

interface Listener<Payload> {
  /** The file that listens, from `src-main`. */
  who: string
  listen: (payload: Payload) => void
}
type Listeners = { [Name in MainEventName]?: readonly Listener<MainEvent[Name]>[] }

interface MainEventsParts {
  db: Pick<Database, 'inTransaction'>
  /** Where pages get their events. */
  pages: Events
  log: Pick<Log, 'error'>
}

/**
 * The events of one core. Pages get theirs first, then the listeners in the order in which they began to listen, all before
 * `emit` returns. ARCHITECTURE.md lists who listens to what.
 */
export class MainEvents {
  readonly #parts: MainEventsParts
  #listeners: Listeners = {}

  constructor(parts: MainEventsParts) {
    this.#parts = parts
  }

  /**
   * Tells everyone. Throws only inside a transaction, which may still be rolled back, and if pages could not be told. A
   * listener that fails is logged and stops no other.
   */
  emit<Name extends MainEventName>(name: Name, payload: MainEvent[Name]): void {
    const { db, pages, log } = this.#parts
    if (db.inTransaction) throw new Error(`${name} was emitted inside a transaction`)
    if (isEventName(name)) pages.forward(name, payload)
    for (const { who, listen } of this.#of(name)) {
      try {
        listen(payload)
      } catch (cause) {
        log.error('a listener failed', { event: name, who, cause })
      }
    }
  }

  /** Calls `listen` after each such event. `who`: the file that listens, from `src-main`. Returns how to stop. */
  on<Name extends MainEventName>(name: Name, who: string, listen: (payload: MainEvent[Name]) => void): () => void {
    const listener = { who, listen }
    this.#set(name, [...this.#of(name), listener])
    return () => {
      this.#set(
        name,
        this.#of(name).filter((one) => one !== listener),
      )
    }
  }

  /** Whether a page is open. */
  isHeard(): boolean {
    return this.#parts.pages.isHeard()
  }

  /** Who listens to what, in the order in which they are called. */
  table(): Record<string, string[]> {
    return Object.fromEntries(
      Object.entries(this.#listeners).map(([name, listeners]) => [name, listeners.map(({ who }) => who)]),
    )
  }

  #of<Name extends MainEventName>(name: Name): readonly Listener<MainEvent[Name]>[] {
    return this.#listeners[name] ?? []
  }

  #set<Name extends MainEventName>(name: Name, listeners: readonly Listener<MainEvent[Name]>[]): void {
    this.#listeners = { ...this.#listeners, [name]: listeners }
  }
}
