import { setImmediate } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import { CaseId, TagId } from '../../src-shared/ids'
import type { ShelfAsOf } from '../../src-shared/ipc/contract/stock'
import type { CaseFacts, TagFacts } from '../../src-shared/service/facts'
import type { PackageCase } from '../../src-shared/service/imports'
import { singleFlight, sleep } from '../core/async'
import { iso } from '../core/clock'
import type { MainEvents } from '../core/events'
import type { Log } from '../core/log'
import type { Memory } from '../memory/store'
import { caseKey, tagKey } from '../outbox/payload'
import { type KeptReport, type StockItem, createLedgerRows } from './ledger-rows'
import { type SaidPlace, type StockReport, shelfStatusOf } from './shelf-status'

interface LedgerParts {
  db: Database
  events: Pick<MainEvents, 'emit' | 'on'>
  seen: Pick<Memory, 'case' | 'caseOf' | 'package' | 'tag'>
  ownDispensaryId: string | null
  log: Log
}

/**
 * What a reading of a case said. `position`: the newest step of the journal before it was asked; `askedAt`: ms since 1970;
 * `askedMove`: the number that the ledger gave to the question. `imports`: since when items are in an inventory, in ms since 1970.
 */
export interface CaseReading {
  facts: CaseFacts
  /** Its case in the look-ups of its packages: undefined if none lists it, null if they could not be asked. */
  entry: PackageCase | undefined | null
  position: number
  askedAt: number
  askedMove: number
  imports?: ReadonlyMap<TagId, number>
}

/** How long a commit works through keys, in ms: other work runs between two of them. */
const piece = 15
/** The pause after such a commit if nothing waits for it, in ms. */
const pause = 10

export type Ledger = ReturnType<typeof createLedger>

/**
 * Which items should be on the shelf of this store, by its own reports and what the service says. Kept item by item; a report
 * notes in its own commit which items it concerns, and they are looked at again afterwards, before anything depends on
 * them. Rules: stock.md.
 */
export function createLedger({ db, events, seen, ownDispensaryId, log }: LedgerParts) {
  const rows = createLedgerRows(db)
  let newest = rows.newestMove()
  const stopping = new AbortController()

  const reportsFor = (item: StockItem, ofCase: readonly KeptReport[], position: number): StockReport[] =>
    [...ofCase.filter(({ product }) => isOfProduct(product, item)), ...rows.ofTag(item.tagId)]
      .toSorted((a, b) => a.seq - b.seq)
      .map(({ kind, state, accepted }) => ({
        ...{ kind, state },
        // What only memory knows was asked before any report that counts.
        isKnown: position > 0 && state === 'accepted' && (accepted ?? 0) <= position,
      }))

  /** Looks at an item again. `isMoved`: a report concerns it, even if it stands as before. */
  const look = (item: StockItem, ofCase: readonly KeptReport[], position: number, move: number, isMoved: boolean) => {
    const standing = shelfStatusOf(item.said, reportsFor(item, ofCase, position))
    if (!isMoved && standing === item.standing) return
    rows.setStanding({ tagId: item.tagId, standing, moved: move, reported: isMoved ? move : item.reported })
  }

  const placeIn = (facts: TagFacts, entry: CaseReading['entry']): SaidPlace => {
    if (facts.isRemovedFromCase) return 'taken-out'
    if (facts.isImported !== true) return facts.isImportedElsewhere ? 'elsewhere' : 'not-imported'
    const holder = entry?.dispensary
    return holder && ownDispensaryId !== null && holder.uuid !== ownDispensaryId ? 'elsewhere' : 'here'
  }

  /** Takes in what a case holds. `isWhole`: it was read with what is sold; otherwise it is only remembered. */
  const learn = ({ facts, entry, position, askedAt, askedMove, imports }: CaseReading, isWhole: boolean) => {
    const { caseId, identifier } = facts
    const move = ++newest
    const names = [...new Set(facts.packagedProducts.map(({ productName }) => productName))]
    const name = names.length === 0 ? null : names.join(', ')
    rows.keepCase({ caseId, identifier }, name, position, isWhole ? { at: askedAt, move: askedMove } : null)
    const ofCase = rows.ofCase(caseId)
    const before = new Map(rows.itemsOf(caseId).map((item) => [item.tagId, item]))
    for (const tag of facts.tags) {
      const known = before.get(tag.tagId) ?? rows.item(tag.tagId)
      before.delete(tag.tagId)
      const item: StockItem = {
        ...{ tagId: tag.tagId, caseId, productId: tag.productId, packagedProductId: tag.packagedProductId ?? null },
        ...{ productName: tag.productName, brandName: tag.brandName },
        said: { place: placeIn(tag, entry), isSold: isWhole ? tag.soldOn !== null : null },
        ...{ standing: known?.standing ?? 'not-imported', moved: known?.moved ?? move, reported: known?.reported ?? 0 },
        ...{ taught: known?.taught ?? move, importedAt: imports?.get(tag.tagId) ?? known?.importedAt ?? null },
      }
      const standing = shelfStatusOf(item.said, reportsFor(item, ofCase, position))
      if (known?.standing === standing) rows.keepItem({ ...item, standing })
      // One that was sold was in the inventory already.
      else rows.keepItem({ ...item, standing, moved: move, taught: known?.standing === 'sold' ? item.taught : move })
    }
    // What the case no longer holds was taken out of it.
    for (const gone of before.values()) {
      rows.setSaid(gone.tagId, 'taken-out')
      look({ ...gone, said: { ...gone.said, place: 'taken-out' } }, ofCase, position, move, false)
    }
  }

  /** Takes in what memory knows of a case that was never read as a whole. Returns false if that is nothing. */
  const recall = (caseId: CaseId): boolean => {
    const facts = seen.case(caseId)
    if (!facts) return false
    const own = rows.packageOf(caseId)
    const uids = [...(own === undefined ? [] : [own]), ...facts.value.packageUids]
    const known = uids.flatMap((uid) => seen.package(uid)?.value ?? [])
    const entry = known.flatMap((one) => one.case_ids[caseId] ?? [])[0]
    learn({ facts: facts.value, entry, position: 0, askedAt: facts.seenAt, askedMove: 0 }, false)
    return true
  }

  const workCase = (caseId: CaseId) => {
    const ofCase = rows.ofCase(caseId)
    const isRecalled = rows.case(caseId)?.askedAt == null && recall(caseId)
    // Imported without being read: a refresh reads it. Another collection than a case has no imports.
    if (!isRecalled && ofCase.some(({ kind }) => kind === 'import')) rows.addCase(caseId)
    const position = rows.case(caseId)?.position ?? 0
    const move = ++newest
    for (const item of rows.itemsOf(caseId)) look(item, ofCase, position, move, true)
  }

  const workTag = (tagId: TagId) => {
    let item = rows.item(tagId)
    if (!item) {
      const caseId = seen.caseOf(tagId)
      if (caseId === undefined || rows.case(caseId)?.askedAt || !recall(caseId)) return
      item = rows.item(tagId)
    }
    if (item) look(item, rows.ofCase(item.caseId), rows.case(item.caseId)?.position ?? 0, ++newest, true)
  }

  const workKey = ({ key, change }: { key: string; change: number }) => {
    const [kind, id] = [key.slice(0, key.indexOf(':')), key.slice(key.indexOf(':') + 1)]
    const tagId = kind === 'tag' ? TagId.safeParse(id).data : undefined
    const caseId = kind === 'case' ? CaseId.safeParse(id).data : undefined
    if (tagId !== undefined) workTag(tagId)
    if (caseId !== undefined) workCase(caseId)
    rows.settleDue(key, change)
  }
  const workSome = db.transaction(() => {
    const begin = performance.now()
    for (let due = rows.due(); due && performance.now() - begin < piece; due = rows.due()) workKey(due)
  })
  const learnWhole = db.transaction((reading: CaseReading) => {
    learn(reading, true)
  })

  const work = async () => {
    let isAny = false
    while (!stopping.signal.aborted && rows.hasDue()) {
      workSome.immediate()
      isAny = true
      await sleep(pause, stopping.signal)
    }
    if (isAny) events.emit('shelf.changed', null)
  }
  const worker = singleFlight(work, (cause) => {
    // If the disk refuses, the next report or count tries again.
    log.warn('the shelf could not be brought up to date', { cause })
  })

  events.on('operation.changed', 'stock/ledger.ts', () => {
    worker.ask()
  })

  return {
    rows,
    /** Looks at what was reported meanwhile, once there is time. */
    wake: () => {
      worker.ask()
    },
    /** Whether every report has been taken in. */
    isCaughtUp: () => !rows.hasDue(),
    isStopped: () => stopping.signal.aborted,
    /** Takes in every report so far, unless it is stopped. Throws if the disk refuses. */
    async catchUp(): Promise<void> {
      while (!stopping.signal.aborted && rows.hasDue()) {
        workSome.immediate()
        await setImmediate()
      }
    },
    /** The newest change: what changes from now on has a higher number. */
    newestMove: () => newest,
    /** A number for a question to the service: its answer knows what had a lower number. */
    askMove: () => ++newest,
    /**
     * What this station has reported since a moment, in ms since 1970, counts as changed from now on. Throws if the disk refuses.
     */
    changedSince(at: number): void {
      rows.noteSince(at)
      worker.ask()
    },
    /**
     * An item as it stands now, every report included; undefined if it is not in the ledger. Costs the same whatever the ledger
     * holds. Call inside a transaction; throws if the disk refuses.
     */
    item(tagId: TagId): StockItem | undefined {
      const dueTag = rows.dueKey(tagKey(tagId))
      if (dueTag) workKey(dueTag)
      let item = rows.item(tagId)
      const caseId = item?.caseId ?? seen.caseOf(tagId)
      const dueCase = caseId === undefined ? undefined : rows.dueKey(caseKey(caseId))
      if (dueCase) workKey(dueCase)
      if (!item && caseId !== undefined) {
        const known = rows.case(caseId)
        if (known && known.askedAt === null) recall(caseId)
      }
      if (dueCase || !item) item = rows.item(tagId)
      return item
    },
    /** Takes in a reading of a whole case. Throws if the disk refuses. */
    learn(reading: CaseReading): void {
      learnWhole.immediate(reading)
      events.emit('shelf.changed', null)
    },
    asOf(): ShelfAsOf {
      const { cases, unread, oldest } = rows.sums()
      return { cases, unread, oldestAt: oldest === null ? null : iso(oldest) }
    },
    async stop(): Promise<void> {
      stopping.abort()
      await worker.stop()
    },
  }
}

/** Whether a report is about the packaged product of an item; one that names none is about the whole case. */
const isOfProduct = (product: string | null, { packagedProductId }: Pick<StockItem, 'packagedProductId'>) =>
  product === null || packagedProductId === null || product === packagedProductId
