import type { OperationKind } from '../../../src-shared/ipc/operation-view'
import type { ServiceProduct } from '../../../src-shared/service/token'
import type { ReportRequest } from '../../service-client/requests'
import type { Finding, ReconcileParts } from '../finding'
import type { Operation } from '../operation'
import type { Key, Payload, Sendable } from '../payload'
import { type About, type Answers, transactionAnswers } from './answers'
import { collectionKinds } from './collections'
import { blindImport, importKinds } from './imports'
import { memberKinds } from './members'
import type { CaseOf, Kind, KindRules, RulesOf, SendableRules } from './rules'
import { saleKinds } from './sales'

/** Every kind of operation, and what the rest of the outbox asks of one. A kind without rules does not compile. */

const sendable: RulesOf<Sendable['kind']> = { ...importKinds, ...memberKinds, ...collectionKinds, ...saleKinds }
const all: { [K in Kind]: KindRules<K> } = { ...sendable, 'blind-import': blindImport }

// A payload fits the rules of its own kind: written with K, so that the compiler can follow.
const rulesOf = <K extends Kind>(kind: K): KindRules<K> => all[kind]
const sendableRulesOf = <K extends Sendable['kind']>(kind: K): SendableRules<K> => sendable[kind]

export const keysOf = (payload: Payload, caseOf: CaseOf): Key[] => rulesOf(payload.kind).keys(payload, caseOf)

/**
 * The request that reports an operation. `performedAt` is ISO 8601 with offset, by the service's clock. Whether the SKU
 * goes along is the profile's to say when it is sent: what was entered stays with the operation.
 */
export const requestOf = (payload: Sendable, performedAt: string, sendsSku = true): ReportRequest =>
  sendableRulesOf(payload.kind).request(payload, performedAt, sendsSku)

/** What a report is about, for the words of its refusal. */
export const aboutOf = (payload: Sendable): About => sendableRulesOf(payload.kind).about(payload)

export const reconcileByKind = (operation: Operation, payload: Payload, parts: ReconcileParts): Promise<Finding> =>
  rulesOf(payload.kind).reconcile(operation, payload, parts)

/** What takes an operation back once it is sent; null when it isn't undone by itself. */
export const inversesOf = (payload: Payload): Payload[] | null => rulesOf(payload.kind).inverses?.(payload) ?? null

/** What an operation is called by. */
export const nameOf = (payload: Payload): string | null => rulesOf(payload.kind).name(payload)

/** What another version saved is never sent: it has no rules. */
const known = (kind: OperationKind) => (kind === 'unreadable' ? undefined : rulesOf(kind))

export const answersOf = (kind: OperationKind): Answers => known(kind)?.answers ?? transactionAnswers
export const accountOf = (kind: OperationKind): ServiceProduct => known(kind)?.account ?? 'retail'
export const sharesOnceRefused = (kind: OperationKind): boolean => known(kind)?.sharesOnceRefused ?? false
