import { type Outcome, outcomeOf } from '../../../../src-main/outbox/outcome'
import type { Body, Reply } from '../../../../src-main/service-client/reply'
import type { OperationKind } from '../../../../src-shared/ipc/operation-view'

/** Replies in a few words, for the tests of what they mean. */
export const json = (value: unknown): Body => ({ kind: 'json', value })
export const bodies = {
  json: json({ status: 'success', request_id: 'R' }),
  text: { kind: 'text', value: 'Transaction accepted' },
  page: { kind: 'page' },
  none: { kind: 'none' },
} as const satisfies Record<string, Body>
export const memberKinds = ['add-items', 'remove-item', 'restore-item', 'add-case'] as const
export const kinds = ['import', 'import-removal', 'complete', 'void', 'return', ...memberKinds] as const

export const answer = (status: number, body: Body = bodies.none, retryAfterMs: number | null = null): Reply => ({
  kind: 'answer',
  status,
  body,
  retryAfterMs,
})
export const outcome = (kind: OperationKind, reply: Reply, isUncertain = false): Outcome =>
  outcomeOf({ kind, reply, isUncertain })
