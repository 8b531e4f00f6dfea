import type { IfAlready } from '../../../../src-main/outbox/evidence'
import type { About } from '../../../../src-main/outbox/kinds/rules'
import type { Outcome } from '../../../../src-main/outbox/operation'
import { outcomeOf } from '../../../../src-main/outbox/outcome'
import type { ReplyBody, Reply } from '../../../../src-main/service/reply'
import type { OperationKind } from '../../../../src-shared/ipc/contract/outbox'

/** Short constructors of replies for outcome tests. */
export const json = (value: unknown): ReplyBody => ({ kind: 'json', value })
export const text = (value: string): ReplyBody => ({ kind: 'text', value })
export const bodies = {
  /** A form that the service doesn't use for reports. */
  json: json({ request_id: 'R' }),
  text: text('Blocked by the firewall of the mall'),
  page: { kind: 'page' },
  none: { kind: 'none' },
} as const satisfies Record<string, ReplyBody>
export const memberKinds = ['add-items', 'remove-item', 'restore-item', 'add-case'] as const
export const orderKinds = ['complete', 'void', 'return'] as const
export const kinds = ['import', 'import-removal', ...orderKinds, ...memberKinds] as const

/** The fields in which an accepting answer names a report of each kind. */
const shows: Record<(typeof kinds)[number], Record<string, string>> = {
  import: { case_uuid: 'C', packaged_product_uuid: 'P', package_uid: '1A4' },
  'import-removal': { case_uuid: 'C', package_uid: '1A4' },
  complete: { order_id: '1042' },
  void: { order_id: '1042' },
  return: { order_id: '1042' },
  'add-items': { uuid: 'C' },
  'remove-item': { tag_id: 'T' },
  'restore-item': { tag_id: 'T' },
  'add-case': { identifier: 'M-1' },
}
const showsOf = new Map<string, Record<string, string>>(Object.entries(shows))

/** A body that names the report, with extra fields. */
export const yes = (kind: (typeof kinds)[number], more: object = {}): ReplyBody => json({ ...shows[kind], ...more })

export const answer = (status: number, body: ReplyBody = bodies.none, retryAfterMs: number | null = null): Reply => ({
  kind: 'answer',
  status,
  body,
  retryAfterMs,
})
export const outcome = (
  kind: OperationKind,
  reply: Reply,
  ifAlready: IfAlready = 'rejected',
  about: Partial<About> = {},
): Outcome => outcomeOf({ kind, reply, ifAlready, about: { shows: showsOf.get(kind) ?? {}, ...about } })
