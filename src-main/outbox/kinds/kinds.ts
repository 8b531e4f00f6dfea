import type { OperationKind } from '../../../src-shared/ipc/contract/outbox'
import type { ServiceProduct } from '../../../src-shared/service/token'
import type { ReportRequest } from '../../service/requests'
import type { Evidence, ReconcileParts } from '../evidence'
import type { Operation } from '../operation'
import type { CaseOf, Key, Payload, Sendable } from '../payload'
import { collectionKinds } from './collections'
import { blindImport, importKinds } from './imports'
import type { About, Answers, KindRules, PayloadKind, RulesOf, SendableRules } from './rules'
import { transactionAnswers } from './rules'
import { saleKinds } from './sales'

/** The rules of every kind of operation, looked up by the rest of the outbox. A kind without rules doesn't compile. */

const sendable: RulesOf<Sendable['kind']> = { ...importKinds, ...collectionKinds, ...saleKinds }
const all: { [K in PayloadKind]: KindRules<K> } = { ...sendable, 'blind-import': blindImport }

// Written with K, so that the compiler sees that a payload fits the rules of its kind.
const rulesOf = <K extends PayloadKind>(kind: K): KindRules<K> => all[kind]
const sendableRulesOf = <K extends Sendable['kind']>(kind: K): SendableRules<K> => sendable[kind]

export const keysOf = (payload: Payload, caseOf: CaseOf): Key[] => rulesOf(payload.kind).keys(payload, caseOf)

/**
 * The request that reports an operation. `performedAt` is ISO 8601 with offset, by the service's clock. The profile decides
 * at sending whether the SKU is included; it stays with the operation either way.
 */
export const requestOf = (payload: Sendable, performedAt: string, sendsSku = true): ReportRequest =>
  sendableRulesOf(payload.kind).request(payload, performedAt, sendsSku)

export const aboutOf = (payload: Sendable): About => sendableRulesOf(payload.kind).about(payload)

export const reconcileByKind = (operation: Operation, payload: Payload, parts: ReconcileParts): Promise<Evidence> =>
  rulesOf(payload.kind).reconcile(operation, payload, parts)

/** The reports that undo an operation once it is sent; null if it isn't undone by itself. */
export const inversesOf = (payload: Payload): Payload[] | null => rulesOf(payload.kind).inverses?.(payload) ?? null

export const nameOf = (payload: Payload): string | null => rulesOf(payload.kind).name(payload)

/** An unreadable operation has no rules: it is never sent. */
const readable = (kind: OperationKind) => (kind === 'unreadable' ? undefined : rulesOf(kind))

export const answersOf = (kind: OperationKind): Answers => readable(kind)?.answers ?? transactionAnswers
export const accountOf = (kind: OperationKind): ServiceProduct => readable(kind)?.account ?? 'retail'
export const sharesOnceRefused = (kind: OperationKind): boolean => readable(kind)?.sharesOnceRefused ?? false
