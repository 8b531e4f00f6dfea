import type { Database } from 'better-sqlite3'
import type { CaseId, TagId } from '../../src-shared/ids'
import { type EventName, type EventPayload, isEventName } from '../../src-shared/ipc/contract'
import type { CartView } from '../../src-shared/ipc/contract/checkout'
import type { ImportForm } from '../../src-shared/ipc/contract/receiving'
import type { Events } from '../ipc/handlers'
import type { Log } from './log'
import type { Operation } from '../outbox/operation'

/**
 * What happened in main, besides what pages are told too (`events` of the contract). An event says what changed; who needs
 * more reads it. Told after the commit, never inside a transaction.
 */
export interface Happened {
  /** An operation was saved, or is in another state. */
  'operation.changed': Operation
  /** A person has just made, changed or withdrawn this report at the counter. */
  'order.reported': Operation
  /** A cart holds something else, or says something else of what it holds. */
  'cart.changed': CartView
  /** What other stations hold of these items has changed. `isGrave`: a person must see it before completing the order. */
  'claims.changed': { tagIds: TagId[]; isGrave: boolean }
  /** A notice of another station about an item was saved, or is over. */
  'notices.changed': null
  /** The hub answers, or a while has passed: what stations share is read again, and what the others lack is told. */
  'sharing.due': null
  /** The limits for waiting operations were set. */
  'limits.changed': null
  /** A manager has set the gates. */
  'gates.changed': null
  /** Another station has changed the people of the store. */
  'people.elsewhere': null
  /** The connection to the service, or by how much its clock is ahead, may have changed. */
  'connection.changed': null
  /** The service has answered, and its clock was compared with this computer's. */
  'service.answered': null
  /** The service answers again, however short the trouble was. */
  'service.back': null
  /** The service answers again after an outage of so many ms; 0 if only this station's sign-in was wrong. */
  'service.recovered': { outageMs: number }
  /** A blind import turned out to be this one. */
  'import.identified': ImportForm
  /** A person has had imports made or undone: the hub may lack them, and what was entered with them. */
  'import.asked': null
  /** Another station began the import of these, or is done with it. `over`: what became of those, the service knows. */
  'import.elsewhere': { caseIds: readonly CaseId[]; over: ReadonlySet<CaseId> }
  /** Something was listed, dropped, finished or opened again in the delivery under way here: other stations may share it. */
  'delivery.stepped': null
  /** An item was counted or taken back here, or a count was finished or opened again: other stations may share it. */
  'count.stepped': null
  /** Another delivery is under way here, or this one again. */
  'delivery.opened': null
  /** The delivery under way was finished, here or at another station, and its count with it. */
  'delivery.finished': null
  /** Something arrived after its delivery was finished: a version of the record is to be added. */
  'record.late': null
  /** What is expected on the shelf may have changed, or how far it has been read. */
  'shelf.changed': null
  /** All packages and cases of the shelf that were to be read have been. */
  'shelf.read': null
  /** The service has said what an unknown item of a count is. */
  'shelf.item-known': { tagId: TagId }
  /** An unknown item of a count turned out to be a case. */
  'shelf.no-item': { tagId: TagId }
  /** Another station expects items of a shared shelf count in cases that this one doesn't know: they wait to be read. */
  'shelf-count.new-cases': null
  /** A finished shelf count of this station got scans of another one. */
  'shelf-count.late': null
  /** A shelf count was given up, here or at another station: what it held can be deleted. */
  'shelf-count.dropped': null
  /** A backup was made, or failed. */
  'backup.changed': null
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

/**
 * The events of one core. Pages get theirs first, then the listeners in the order in which they began to listen, all before
 * `emit` returns. ARCHITECTURE.md lists who listens to what.
 */
export class MainEvents {
  readonly #db: Pick<Database, 'inTransaction'>
  readonly #pages: Events
  readonly #log: Pick<Log, 'error'>
  #listeners: Listeners = {}

  /** `pages`: where pages get their events. */
  constructor(db: Pick<Database, 'inTransaction'>, pages: Events, log: Pick<Log, 'error'>) {
    this.#db = db
    this.#pages = pages
    this.#log = log
  }

  /**
   * Tells everyone. Throws only inside a transaction, which may still be rolled back, and if pages could not be told. A
   * listener that fails is logged and stops no other.
   */
  emit<Name extends MainEventName>(name: Name, payload: MainEvent[Name]): void {
    if (this.#db.inTransaction) throw new Error(`${name} was emitted inside a transaction`)
    if (isEventName(name)) this.#pages.forward(name, payload)
    for (const { who, listen } of this.#of(name)) {
      try {
        listen(payload)
      } catch (cause) {
        this.#log.error('a listener failed', { event: name, who, cause })
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
    return this.#pages.isHeard()
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
