import type { CaseId, TagId } from '../../../src-shared/ids'
import type { ServiceProduct } from '../../../src-shared/service/token'
import type { ReportRequest } from '../../service-client/requests'
import type { Finding, ReconcileParts } from '../finding'
import type { Operation } from '../operation'
import type { Key, Payload, Sendable } from '../payload'
import type { About, Answers } from './answers'

export type Kind = Payload['kind']
export type PayloadOf<K extends Kind> = Extract<Payload, { kind: K }>

/** The case that an item is known to be in. */
export type CaseOf = (tagId: TagId) => CaseId | undefined

/** All that the outbox has to know of a kind of operation. */
export interface KindRules<K extends Kind> {
  /** What it holds, alone or shared: whom it waits for, and who waits for it. */
  keys: (payload: PayloadOf<K>, caseOf: CaseOf) => Key[]
  /** Whether, refused, it goes on to share what it takes alone: nothing has changed, and nobody has to wait for a person. */
  sharesOnceRefused: boolean
  /** Finds out by reading what became of an attempt whose answer was lost. The tables are in outbox.md. */
  reconcile: (operation: Operation, payload: PayloadOf<K>, parts: ReconcileParts) => Promise<Finding>
  /** What its answers mean, where kinds differ. */
  answers: Answers
  /** By whose account it goes. The other one's trouble is its own, and shuts no gate. */
  account: ServiceProduct
  /**
   * What has to be reported so that the service has it as it was before; none when nothing can, then it is undone only
   * while it is unsent. Null when it isn't undone by itself at all: an order is, as a whole.
   */
  inverses: ((payload: PayloadOf<K>) => Payload[]) | null
  /** What it is called by on a screen, beside its order, case or collection. */
  name: (payload: PayloadOf<K>) => string | null
}

/** Of a kind that goes on the wire as it is. */
export interface SendableRules<K extends Sendable['kind']> extends KindRules<K> {
  /** The request that reports it. `performedAt` is ISO 8601 with offset; the SKU goes along only if `sendsSku`. */
  request: (payload: PayloadOf<K>, performedAt: string, sendsSku: boolean) => ReportRequest
  /** What it is about, as a person reads it on a label. */
  about: (payload: PayloadOf<K>) => About
}

/** The rules of a family of kinds, by their names. */
export type RulesOf<Kinds extends Sendable['kind']> = { [K in Kinds]: SendableRules<K> }
