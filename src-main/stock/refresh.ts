import { type AppError, isUnanswered } from '../../src-shared/errors'
import { CaseId, type PackageUid, type TagId } from '../../src-shared/ids'
import type { ShelfLedger } from '../../src-shared/ipc/contract/stock'
import { type Result, err, ok } from '../../src-shared/result'
import type { CaseFacts } from '../../src-shared/service/facts'
import type { Collection } from '../../src-shared/service/collections'
import type { PackageCase } from '../../src-shared/service/imports'
import { singleFlight, sleep } from '../core/async'
import type { Clock } from '../core/clock'
import type { MainEvents } from '../core/events'
import type { Log } from '../core/log'
import type { Lookup, ReadCase } from '../memory/lookup'
import type { Memory } from '../memory/store'
import type { Connection } from '../service/connection'
import type { V12Client } from '../service/v12'
import { saved } from '../database/saved'
import type { Ledger } from './ledger'

interface RefreshParts {
  ledger: Ledger
  lookup: Pick<Lookup, 'package' | 'tag'> & { readCase: ReadCase }
  client: { collections: Pick<V12Client['collections'], 'get'> }
  seen: Pick<Memory, 'package'>
  connection: Pick<Connection, 'isOutOfReach'>
  ownDispensaryId: string | null
  clock: Clock
  log: Log
  events: Pick<MainEvents, 'emit' | 'on'>
}

/** Packages, cases or items asked about at a time, and the pause between, in ms: the counter's own questions come first. */
const lanes = 2
const betweenReads = 50
/** Without an answer so often in a row the reading waits until the service answers again. */
const mostUnanswered = 4
/** After so many unusable answers about one thing it is left out. */
const mostFaults = 3
/** Unknown items that wait to be asked about. */
const mostUnknown = 500
/** How long a reading waits before it tries again by itself, in ms. */
const betweenTries = 30_000
/** A case rarely has its items in more packages. */
const packagesAsked = 3

export type Refresh = ReturnType<typeof createRefresh>

/**
 * Reads what belongs to this store from the service: packages, then the cases that are theirs. What is still to be read is kept in
 * the store, so it goes on after an outage and a restart. Items that a count found and that aren't in the ledger are asked about beside them.
 */
export function createRefresh(parts: RefreshParts) {
  const { ledger, lookup, client, seen, connection, ownDispensaryId, clock, log, events } = parts
  const { rows } = ledger
  const stopping = new AbortController()
  const unknown = new Set<TagId>()
  const faults = new Map<string, number>()
  let state: ShelfLedger['refresh']['state'] = 'idle'
  let error: AppError | null = null
  let done = 0
  let failed = 0
  let unanswered = 0
  /** Whether a package or case was read since that was told. */
  let hasRead = false
  /** Aborted when a person ends the reading: answers that are still to come are left. */
  let ending = new AbortController()

  /** Whether something has to be asked again: there was no answer, or an unusable one that may be better next time. */
  const isOpen = (id: string, found: AppError | null): boolean => {
    if (found !== null && isUnanswered(found)) {
      error = found
      unanswered += 1
      const seenFaults = (faults.get(id) ?? 0) + 1
      // Out of reach says nothing about the thing that was asked about; an unusable answer may.
      if (found.code === 'service/unreadable' || found.code === 'service/failing') faults.set(id, seenFaults)
      if ((faults.get(id) ?? 0) < mostFaults) return true
    }
    unanswered = 0
    faults.delete(id)
    return false
  }
  /** Counts a package or case that is not asked about again. */
  const count = (id: string, found: AppError | null) => {
    hasRead = true
    done += 1
    if (found === null) return
    failed += 1
    log.warn('a part of the shelf could not be read', { id, code: found.code })
  }
  /** Counts from nothing unless a reading is under way. */
  const begin = () => {
    if (state === 'idle' || rows.wanted() === 0) [done, failed] = [0, 0]
  }
  const isEnded = (asked: AbortController) => stopping.signal.aborted || asked.signal.aborted

  const isOurs = ({ dispensary }: PackageCase) =>
    dispensary != null && (ownDispensaryId === null || dispensary.uuid === ownDispensaryId)

  const readPackage = async (uid: PackageUid): Promise<void> => {
    const asked = ending
    const answer = await lookup.package(uid)
    const found = answer.ok ? answer.value.unreachable : answer.error
    if (isEnded(asked) || isOpen(uid, found)) return
    count(uid, found)
    const entries = answer.ok ? Object.entries(answer.value.value.case_ids) : []
    for (const [id, entry] of entries) {
      const caseId = CaseId.parse(id)
      if (isOurs(entry) && !rows.case(caseId)) rows.wantCase(caseId)
    }
    rows.dropPackage(uid)
  }

  const entryOf = async ({
    caseId,
    packageUids,
  }: CaseFacts): Promise<Result<PackageCase | undefined | null, AppError>> => {
    const own = rows.packageOf(caseId)
    const uids = [...new Set([...(own === undefined ? [] : [own]), ...packageUids])].slice(0, packagesAsked)
    let isAsked = false
    for (const uid of uids) {
      const stored = seen.package(uid)
      const answer = stored ? ok({ value: stored.value, unreachable: null }) : await lookup.package(uid)
      // The holder of this package can't be read, however often it is asked.
      if (!answer.ok && (!isUnanswered(answer.error) || answer.error.code === 'service/unreadable')) continue
      if (!answer.ok) return answer
      if (answer.value.unreachable) return err(answer.value.unreachable)
      isAsked = true
      const entry = answer.value.value.case_ids[caseId]
      if (entry?.dispensary) return ok(entry)
    }
    return ok(isAsked ? undefined : null)
  }

  const readCase = async (caseId: CaseId): Promise<void> => {
    const asked = ending
    const position = rows.position()
    const [askedAt, askedMove] = [clock.now(), ledger.askMove()]
    const asking = client.collections.get(caseId)
    const facts = await lookup.readCase(caseId, asking)
    const collection = await asking
    const entry = facts.ok && collection.ok ? await entryOf(facts.value) : null
    const found = !facts.ok ? facts.error : !collection.ok ? collection.error : entry?.ok === false ? entry.error : null
    if (isEnded(asked) || isOpen(caseId, found)) return
    count(caseId, found)
    if (facts.ok && entry?.ok) {
      const imports = importsOf(facts.value, collection.ok ? collection.value : null, entry.value)
      ledger.learn({ facts: facts.value, entry: entry.value, position, askedAt, askedMove, imports })
      // The answer may name the case by another id.
      if (facts.value.caseId !== caseId) rows.dropCase(caseId)
    } else rows.dropCase(caseId)
  }

  const identify = async (tagId: TagId): Promise<void> => {
    const asked = ending
    const facts = await lookup.tag(tagId)
    if (isEnded(asked)) return
    unknown.delete(tagId)
    if (isOpen(tagId, facts.ok ? null : facts.error)) {
      // After the others.
      unknown.add(tagId)
      return
    }
    if (!facts.ok && facts.error.code === 'scan/wrong-place') events.emit('shelf.no-item', { tagId })
    // In an inventory: whose, its case tells.
    if (!facts.ok) return
    events.emit('shelf.item-known', { tagId })
    if (facts.value.caseId === null || facts.value.isImported !== true) return
    begin()
    rows.wantCase(facts.value.caseId)
  }

  /** What is asked next: if items wait, one of them beside a package or case, so that neither stops the other. */
  const step = (): Promise<void>[] => {
    const free = unknown.size > 0 ? lanes - 1 : lanes
    const packages = rows.wantedPackages(free)
    const read = packages.length > 0 ? packages.map(readPackage) : rows.wantedCases(free).map(readCase)
    return [...[...unknown].slice(0, lanes - read.length).map(identify), ...read]
  }
  const show = (next: typeof state) => {
    state = next
    events.emit('shelf.changed', null)
  }
  let retry: NodeJS.Timeout | undefined
  const wait = () => {
    show('waiting')
    clearTimeout(retry)
    retry = setTimeout(() => {
      worker.ask()
    }, betweenTries).unref()
  }
  const sayRead = () => {
    if (!hasRead || rows.wanted() > 0) return
    hasRead = false
    events.emit('shelf.read', null)
  }
  const work = async () => {
    unanswered = 0
    while (unknown.size > 0 || rows.wanted() > 0) {
      if (stopping.signal.aborted) return
      if (unanswered >= mostUnanswered || connection.isOutOfReach()) {
        wait()
        return
      }
      const asked = step()
      if (asked.length === 0) break
      show('running')
      await Promise.all(asked)
      sayRead()
      await sleep(betweenReads, stopping.signal)
    }
    if (stopping.signal.aborted) return
    error = null
    faults.clear()
    show('idle')
    sayRead()
  }
  const worker = singleFlight(work, (cause) => {
    log.error('reading the shelf was interrupted', { cause })
    wait()
  })

  /** Goes on with what the last process or an outage left, or another station named. */
  const resume = () => {
    if (unknown.size === 0 && rows.wanted() === 0) return
    begin()
    worker.ask()
  }
  events.on('service.back', 'stock/refresh.ts', resume)
  events.on('shelf-count.new-cases', 'stock/refresh.ts', resume)

  return {
    view: (): ShelfLedger['refresh'] => {
      const left = rows.wanted()
      // Items that are asked about aren't a reading of the shelf: no person began it, and it has no length.
      const shown = left === 0 ? 'idle' : state
      return { state: shown, done, total: done + left, failed, error: shown === 'waiting' ? error : null }
    },
    /** Reads all of it. Errors: store/not-saved. */
    start: (): Result<null, AppError> =>
      saved(() => {
        begin()
        rows.wantAll()
        worker.ask()
        return ok(null)
      }),
    /** Ends the reading, in an outage too; what was read stays. Errors: store/not-saved. */
    end: (): Result<null, AppError> =>
      saved(() => {
        rows.dropWanted()
        ending.abort()
        ending = new AbortController()
        clearTimeout(retry)
        unknown.clear()
        faults.clear()
        begin()
        worker.ask()
        return ok(null)
      }),
    /** Asks about an item that nothing is known of. */
    identify(tagId: TagId): void {
      if (unknown.size >= mostUnknown) return
      unknown.add(tagId)
      worker.ask()
    },
    resume,
    /** Resolves once nothing is being read. */
    async stop(): Promise<void> {
      stopping.abort()
      clearTimeout(retry)
      await worker.stop()
      clearTimeout(retry)
    },
  }
}

/** Since when the items of a case are in an inventory, in ms since 1970; without an item's own time, that of its case. */
function importsOf(
  { tags }: CaseFacts,
  collection: Collection | null,
  entry: PackageCase | undefined | null,
): ReadonlyMap<TagId, number> {
  const members = new Map(collection?.items.map((item) => [item.tag_id, item.imported_to_inventory_on]))
  return new Map(
    tags.flatMap(({ tagId }): [TagId, number][] => {
      const on = members.get(tagId) ?? entry?.imported_on ?? null
      return on === null ? [] : [[tagId, Date.parse(on)]]
    }),
  )
}
