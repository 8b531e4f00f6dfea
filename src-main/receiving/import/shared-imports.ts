import type { Database, Statement, Transaction } from 'better-sqlite3'
import { z } from 'zod'
import type { ResultOf } from '../../../src-shared/errors'
import { CaseId, ShortUuid } from '../../../src-shared/ids'
import { ok } from '../../../src-shared/result'
import { singleFlight } from '../../core/async'
import type { ImportInStore, ImportKey, ImportNews, KnownImport } from '../../hub/port'
import { caseKey } from '../../outbox/payload'
import { RowReader } from '../../database/row-reader'
import { type NotSaved, saved } from '../../database/saved'
import { DirtyKeys } from '../../sharing/dirty-keys'
import { pushDirty } from '../../sharing/pushing'
import { type Watch, noteOf } from '../../sharing/watch'
import type { ReceivingContext } from '../receiving-context'
import { type ImportElsewhere, statusInStore } from './import-state'

const key = (row: string) =>
  `${row}.payload ->> '$.caseId' || ' ' || coalesce(${row}.payload ->> '$.packagedProductId', '')`
const isImport = (row: string) => `${row}.kind IN ('import', 'blind-import', 'import-removal')
  AND json_valid(${row}.payload) AND ${row}.payload ->> '$.caseId' IS NOT NULL`
const settled = (row: string) => `iif(${row}.state IN ('queued', 'sending', 'unknown'), '', ${row}.state)`

const isIdentified = 'NEW.kind <> OLD.kind OR NEW.payload <> OLD.payload'
/** Noted in the commit that changes it. A blind import that is identified was of its case before. */
const watches: Watch[] = [
  { table: 'operation', on: 'INSERT', when: isImport('NEW'), do: noteOf('imports', { key: key('NEW') }) },
  {
    table: 'operation',
    on: 'UPDATE OF state, kind, payload',
    when: `${isImport('NEW')} AND (${settled('NEW')} <> ${settled('OLD')} OR ${isIdentified})`,
    do: noteOf('imports', { key: key('NEW') }),
  },
  {
    table: 'operation',
    on: 'UPDATE OF kind, payload',
    when: `${isImport('OLD')} AND (${isIdentified})`,
    do: noteOf('imports', { key: key('OLD') }),
  },
]

const setting = 'hub.imports'
const HubCursor = z.object({ hubId: z.string(), revision: z.number() })
const ProductColumn = z.union([z.literal(''), ShortUuid])
const StoredImport = z.object({
  caseId: CaseId,
  productId: ProductColumn,
  stationId: z.string(),
  station: z.string(),
  state: z.enum(['importing', 'imported']),
  at: z.number(),
  heardAt: z.number(),
})
type StoredImport = z.infer<typeof StoredImport>
const storedImports = new RowReader(StoredImport)
const atOnce = 500
/** What other stations imported is kept for so long, and told for a tenth of it to a hub made anew, in ms. */
const kept = 60 * 24 * 3_600_000

const productOf = (key: ImportKey): StoredImport['productId'] => key.packagedProductId ?? ''
const textOf = (key: ImportKey) => `${key.caseId} ${productOf(key)}`
/** None for a text that is no key. */
function keyOf(text: string): ImportKey[] {
  const [caseId, product] = text.split(' ')
  const key = StoredImport.pick({ caseId: true, productId: true }).safeParse({ caseId, productId: product }).data
  return key ? [{ caseId: key.caseId, packagedProductId: key.productId === '' ? null : key.productId }] : []
}

function statementsOf(db: Database) {
  return {
    ofCase: db.prepare('SELECT * FROM hub_import WHERE case_id = ? ORDER BY heard_at'),
    importing: db.prepare(`SELECT * FROM hub_import WHERE state = 'importing'`),
    forgetImporting: db.prepare(`DELETE FROM hub_import WHERE state = 'importing'`),
    forget: db.prepare('DELETE FROM hub_import WHERE case_id = ? AND product_id = ?'),
    upsert: db.prepare(`
      INSERT INTO hub_import VALUES (@caseId, @productId, @stationId, @station, @state, @at, @heardAt)
      ON CONFLICT DO UPDATE SET station_id = excluded.station_id, station = excluded.station, state = excluded.state,
        at = excluded.at, heard_at = excluded.heard_at`),
  }
}

/** Which station of the store imports which case: none is imported at two stations at the same time while the hub answers. */
export class SharedImports {
  readonly #context: ReceivingContext
  readonly #dirty: DirtyKeys
  readonly #noteAll: Statement
  readonly #sql: ReturnType<typeof statementsOf>
  readonly #inOne: Transaction<(step: () => void) => void>
  #stale: Set<string> = new Set<string>()
  /** Being imported by a call: what the hub granted for it isn't given back meanwhile. */
  readonly #taking = new Map<string, number>()
  readonly #stopping = new AbortController()
  readonly #exchanging: ReturnType<typeof singleFlight>
  readonly #stops: (() => void)[]

  constructor(context: ReceivingContext) {
    const { db, events, hub, clock, log } = context
    this.#context = context
    this.#dirty = new DirtyKeys(db, 'imports', watches)
    this.#noteAll = this.#dirty.notes(
      key('operation'),
      `operation WHERE ${isImport('operation')} AND (performed_at_raw > ? OR state IN ('queued', 'sending', 'unknown'))`,
    )
    db.prepare('DELETE FROM hub_import WHERE heard_at < ?').run(clock.now() - kept)
    this.#sql = statementsOf(db)
    this.#inOne = db.transaction((step: () => void) => {
      step()
    })
    this.#exchanging = singleFlight(
      () => this.#exchange(),
      (cause) => {
        log.error('imports could not be exchanged with the store', { cause })
      },
    )
    this.#stops = [
      events.on('operation.changed', 'receiving/import/shared-imports.ts', ({ kind }) => {
        if (kind === 'import' || kind === 'blind-import' || kind === 'import-removal') this.#exchanging.ask()
      }),
      events.on('sharing.due', 'receiving/import/shared-imports.ts', () => {
        this.#exchanging.ask()
      }),
      hub.onNews('imports', () => {
        this.#exchanging.ask()
      }),
      hub.onSituation(() => {
        try {
          this.#announce(this.#held())
        } catch (cause) {
          log.error('imports elsewhere could not be read', { cause })
        }
      }),
    ]
  }

  /** What another station does, or did, with a product of a case; with any of them for null. */
  elsewhere(caseId: CaseId, packagedProductId: ShortUuid | null): ImportElsewhere | undefined {
    return this.#ofCase(caseId).findLast(
      (one) =>
        this.#holds(one) && (packagedProductId === null || one.productId === '' || one.productId === packagedProductId),
    )
  }

  /**
   * Before an import: which of these other stations are importing, by name. Unless it fails, call `taken` once the others are
   * saved. Without the hub none is: the service refuses whichever report is second.
   */
  async take(keys: ImportKey[]): Promise<ResultOf<(key: ImportKey) => string | undefined, NotSaved>> {
    const wanted = this.#isOnline() ? keys : []
    // After a crash before the import is saved, the hub is told that there is none.
    const noted = saved(() => {
      this.#inOne.immediate(() => {
        for (const key of wanted) this.#dirty.note(textOf(key))
      })
      return ok(null)
    })
    if (!noted.ok) return noted
    for (const key of keys) this.#taking.set(textOf(key), (this.#taking.get(textOf(key)) ?? 0) + 1)
    const others = wanted.length > 0 ? await this.#context.hub.imports.take(wanted) : undefined
    if (others && others.length > 0) this.#exchanging.ask()
    const names = new Map(others?.map((one) => [textOf(one), one.stationName]))
    return ok((key) => names.get(textOf(key)))
  }

  taken(keys: ImportKey[]): void {
    for (const key of keys) {
      const left = (this.#taking.get(textOf(key)) ?? 1) - 1
      if (left > 0) this.#taking.set(textOf(key), left)
      else this.#taking.delete(textOf(key))
    }
    this.#exchanging.ask()
  }

  /** How many of this station's imports the hub may have in an older state. */
  pending() {
    return this.#dirty.count()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    for (const stop of this.#stops) stop()
    await this.#exchanging.stop()
  }

  /** What other stations do, or did, with a case: heard last at the end. */
  #ofCase(caseId: CaseId): StoredImport[] {
    return storedImports.readable(this.#sql.ofCase, caseId).rows
  }

  #isStopped() {
    return this.#stopping.signal.aborted
  }

  #isOnline() {
    return this.#context.hub.view().situation === 'online'
  }

  /** Without the hub, an import elsewhere may be over for long. */
  #holds({ state, stationId }: StoredImport) {
    return state === 'imported' || (this.#isOnline() && !this.#stale.has(stationId))
  }

  #statusOf(key: ImportKey): ImportInStore {
    return {
      ...key,
      ...statusInStore(this.#context.outbox.read.byKey(caseKey(key.caseId)), key.packagedProductId),
    }
  }

  #push(): ReturnType<typeof pushDirty> {
    const { hub } = this.#context
    return pushDirty(this.#dirty, {
      ...{ hub, atOnce, heldBack: this.#taking },
      isStopped: () => this.#isStopped(),
      push: (dirty, epoch) => {
        const imports = dirty.flatMap(({ key }) => keyOf(key)).map((key) => this.#statusOf(key))
        return hub.imports.push(epoch, imports)
      },
    })
  }

  #merge({ imports, hubId, revision }: ImportNews): ImportNews['imports'] {
    const { hub, clock, settings } = this.#context
    const isOwn = ({ stationId }: KnownImport) => stationId === hub.stationId
    const isGone = (one: KnownImport) => isOwn(one) || one.state === 'over'
    const changed = imports
      .map((one) => this.#underneath(one))
      .filter((one) => {
        const before = this.#ofCase(one.caseId).find(({ productId }) => productId === productOf(one))
        if (isGone(one)) return before !== undefined
        return before?.state !== one.state || before.at !== one.at || before.stationId !== one.stationId
      })
    // Granted after this station was killed, or had given up, and had told how the import stands: it is told again.
    const unmade = imports.filter(
      (one) => isOwn(one) && one.state === 'importing' && this.#statusOf(one).state !== 'importing',
    )
    const heardAt = clock.now()
    this.#inOne.immediate(() => {
      for (const key of unmade) this.#dirty.note(textOf(key))
      for (const one of changed) {
        const { caseId, stationId, stationName: station, state, at } = one
        const productId = productOf(one)
        if (isGone(one)) this.#sql.forget.run(caseId, productId)
        else this.#sql.upsert.run({ caseId, productId, stationId, station, state, at, heardAt })
      }
      settings.write(setting, { hubId, revision })
    })
    return changed
  }

  /** What this station tries to import another one may have imported: that stays known. */
  #underneath(one: KnownImport): KnownImport {
    return one.stationId === this.#context.hub.stationId && one.was
      ? { ...one, ...one.was, state: 'imported', was: null }
      : one
  }

  #announce(changed: { caseId: CaseId; state: ImportInStore['state'] }[]) {
    if (changed.length === 0 || this.#isStopped()) return
    const over = new Set(changed.filter(({ state }) => state !== 'importing').map(({ caseId }) => caseId))
    this.#context.events.emit('import.elsewhere', { caseIds: [...new Set(changed.map(({ caseId }) => caseId))], over })
  }

  #held() {
    return storedImports.readable(this.#sql.importing).rows
  }

  async #exchange() {
    let read = this.#context.settings.read(setting, HubCursor) ?? { hubId: '', revision: 0 }
    for (;;) {
      const news = await this.#context.hub.imports.since(read.revision)
      if (!news || this.#isStopped()) return
      if (news.hubId !== read.hubId || news.revision < read.revision) {
        // Another hub, or one from a backup: it is told everything, and read from the start.
        const before = this.#held()
        this.#noteAll.run(this.#context.clock.now() - kept / 10)
        this.#sql.forgetImporting.run()
        read = { hubId: news.hubId, revision: 0 }
        this.#context.settings.write(setting, read)
        this.#announce(before)
        if (news.revision > 0) continue
      }
      read = { hubId: news.hubId, revision: news.revision }
      this.#announce(this.#merge(news))
      const now = new Set(news.stale)
      const isSame = now.size === this.#stale.size && [...now].every((id) => this.#stale.has(id))
      this.#stale = now
      if (!isSame) this.#announce(this.#held())
      if (!news.hasMore) break
    }
    await this.#push()
  }
}
