import type { AppError } from '../../src-shared/errors'
import type { CountId } from '../../src-shared/ids'
import { type Result, err, ok } from '../../src-shared/result'
import type { HandlersOf } from '../ipc/handlers'
import type { Gates } from '../security/gates'
import type { ShelfCounts } from '../counting/shelf/counts'
import type { LedgerView } from './ledger-view'
import type { Refresh } from './refresh'
import type { StockContext } from './stock-context'
import type { SharedShelves } from '../counting/shelf/shared-shelves'

/** Calls about what should be on the shelf, and counts of it. `shared`: undefined without a hub. */
export function stockHandlers(
  { events }: StockContext,
  gates: Gates,
  counts: ShelfCounts,
  refresh: Refresh,
  view: LedgerView,
  shared: SharedShelves | undefined,
): HandlersOf<'stock'> {
  /** A step of a count that other stations may share. */
  const told = <Answer>(answer: Answer): Answer => (shared ? shared.pushed(answer) : answer)
  const scanned = <Answer>(answer: Answer): Answer => {
    shared?.push()
    return answer
  }
  const shown = (done: Result<null, AppError>) => {
    if (done.ok) events.emit('stock.ledger', view.view())
    return done
  }
  const finish = async (countId: CountId) => {
    const done = await counts.end.finish(countId)
    // Another till may have sold what is missing: its sales are read, and then the differences are looked at again.
    if (done.ok && shared) shown(refresh.start())
    return told(done)
  }
  /** What the other station expects may not be known here: it is read. */
  const join = async (countId: CountId): Promise<Result<null, AppError>> => {
    if (!shared) return err({ code: 'hub/unreachable' })
    const joined = await shared.join(countId)
    return joined.ok ? shown(refresh.start()) : joined
  }
  const drop = (countId: CountId) => {
    const done = counts.drop(countId)
    if (done.ok) events.emit('shelf-count.dropped', null)
    return told(done)
  }

  return {
    'stock.ledger': () => ok(view.view()),
    'stock.refresh': () => shown(refresh.start()),
    'stock.stopRefresh': () => shown(refresh.end()),
    'stock.choices': ({ text }) => ok(counts.choices(text)),
    'stock.open': () => ok(counts.open()),
    'stock.count': ({ countId }) => counts.count(countId),
    'stock.start': ({ scope }) => (shared ? shared.start(scope) : counts.start(scope)),
    'stock.storeCounts': () => ok(shared?.listed() ?? []),
    'stock.join': ({ countId }) => join(countId),
    'stock.behind': async ({ countId }) => ok((await shared?.behind(countId)) ?? []),
    'stock.scan': ({ countId, tagId }) => scanned(counts.scans.scan(countId, tagId)),
    'stock.unscan': ({ countId, tagId }) => scanned(counts.scans.unscan(countId, tagId)),
    'stock.late': ({ countId, after }) => counts.scans.late(countId, after),
    'stock.recent': ({ countId }) => counts.scans.recent(countId),
    'stock.pause': ({ countId }) => counts.pause(countId),
    'stock.resume': ({ countId }) => counts.resume(countId),
    'stock.finish': ({ countId }) => finish(countId),
    'stock.drop': ({ countId }) => drop(countId),
    'stock.recount': ({ countId }) => (shared ? shared.recount(countId) : counts.recount(countId)),
    'stock.products': ({ countId }) => counts.finished.products(countId),
    'stock.differences': ({ countId, filter, after }) => counts.finished.differences(countId, filter, after),
    'stock.explain': async ({ countId, which, reason, text }) =>
      scanned(await counts.finished.explain(countId, which, reason, text ?? null)),
    'stock.sign': ({ countId, revision, approval }) =>
      gates.pass(counts.finished.gateOfSign(countId, revision), approval, (because) =>
        told(counts.finished.sign(countId, revision, because)),
      ),
    'stock.export': ({ countId, after }) => counts.finished.export(countId, after),
    'stock.history': ({ before }) => ok(counts.history(before)),
  }
}
