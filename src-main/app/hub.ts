import { z } from 'zod'
import type { SettingOvertaken, SoldTwice, StoreNotice } from '../../src-shared/ipc/contract/hub'
import { TagId } from '../../src-shared/ids'
import { err, ok } from '../../src-shared/result'
import { iso } from '../clock'
import { createBoard } from '../hub/board'
import { forgetHub, rememberStations } from '../hub/memory'
import { createOwnClaims } from '../hub/own-claims'
import type { StationSays } from '../hub/rows'
import { type SharedSetting, createSharedSettings } from '../hub/shared-settings'
import type { HandlersOf } from '../ipc/handlers'
import { orderKey } from '../outbox/payload'
import type { Seal } from '../privacy/seal'
import { parseStored } from '../store/settings'
import { saved } from '../store/saved'
import type { CoreContext } from './context'

/** The settings that all stations of the store share. */
type SharedName = SettingOvertaken['name']

interface HubParts {
  productName: (tagId: TagId) => string | null
  /** Whether the service has an item as sold; undefined without an answer. */
  isSold: (tagId: TagId) => Promise<boolean | undefined>
  /** Takes an item that another station took over out of its open sale; see `createOwnClaims`. */
  letGo: (tagId: TagId) => (() => void) | undefined
  /** Lets go of the orders on hold that other stations have resumed. */
  loseHeld: () => Promise<void>
  /** Seals what only the stations of the store may read; null while the keychain doesn't give the key. */
  storeSeal: () => Promise<Seal | null>
  /** What this station says of itself. */
  says: () => StationSays
  shared: readonly SharedSetting<SharedName>[]
}

/** How often this station's claims are compared with the hub's, in ms; also soon after the hub answers again. */
const betweenComparisons = 30_000
const soon = 5_000
/** How often this station says how it is, in ms: gone for a minute, it is shown as gone. */
const betweenWords = 15_000

/** The store that this station shares with others. Without a hub nothing is prepared, asked or written. */
export function createHubParts(context: CoreContext, parts: HubParts) {
  const { productName, isSold, letGo, loseHeld, storeSeal } = parts
  const { db, hub, events, settings, clock, log } = context
  const notices = createNoticeList(context, productName)
  const announceNotices = () => {
    events.emit('hub.notices', notices.view())
    events.emit('hub.soldTwice', notices.soldTwice())
  }
  const own = hub.isSetUp
    ? createOwnClaims({
        db,
        hub,
        settings,
        log,
        now: () => clock.now(),
        refusesHeld: () => hub.view().situation === 'together' || hub.view().policy === 'refuse',
        isSold,
        onMarks: (tagIds, isGrave) => {
          events.emit('claims.changed', { tagIds, isGrave })
        },
        letGo,
        loseHeld,
        onNotices: announceNotices,
      })
    : undefined
  const board = createBoard({
    hub,
    says: parts.says,
    clock,
    log,
    events,
    remember: (stations) => {
      rememberStations(settings, stations)
    },
  })
  if (!hub.isSetUp) forgetHub(settings)
  const shared = hub.isSetUp
    ? createSharedSettings({
        db,
        events,
        words: hub.words,
        settings: parts.shared,
        log,
      })
    : undefined
  const timers = new Set<NodeJS.Timeout>()
  const stops: (() => void)[] = []

  const compare = () => {
    if (hub.view().situation !== 'together') return
    own?.compare()
    shared?.exchange()
    events.emit('sharing.due', null)
  }
  const together = () => {
    own?.tellAgain()
    compare()
    board.refresh()
    // What was under way when the connection was lost has reached the hub by then, or never will.
    timers.add(setTimeout(compare, soon).unref())
  }
  const handlers: HandlersOf<'hub'> = {
    'hub.view': () => ok(hub.view()),
    'hub.retry': () => {
      hub.retryNow()
      return ok(hub.view())
    },
    'hub.goOn': async ({ stations }) => {
      if (!(await hub.goOn(stations))) return err({ code: 'hub/unreachable' })
      log.warn('a person went on without the awaited stations')
      board.refresh()
      return ok(hub.view())
    },
    'hub.notices': () => ok(notices.view()),
    'hub.soldTwice': () => ok(notices.soldTwice()),
    'hub.board': () => {
      board.refresh()
      return ok(board.view())
    },
    'hub.removeStation': ({ id }) => board.remove(id),
    'hub.seen': ({ ids }) =>
      saved(() => {
        notices.see(ids)
        events.emit('hub.notices', notices.view())
        return ok(null)
      }),
  }

  return {
    handlers,
    /** What the counter shares with the other stations; undefined without a hub. */
    sharing: own && { hub, claims: { ...own, policy: () => hub.view().policy }, storeSeal },
    start() {
      if (!own) return
      let before = hub.view().situation
      if (before === 'together') together()
      for (const name of ['checkout.settings', 'limits.changed', 'gates.changed'] as const)
        events.on(name, 'app/hub.ts', () => shared?.exchange())
      events.on('operation.changed', 'app/hub.ts', ({ kind }) => {
        own.tell()
        // What a person can do about a notice depends on what the service says of the sale.
        const hasNotices = kind === 'complete' && (notices.view().length > 0 || notices.soldTwice().length > 0)
        if (hasNotices) announceNotices()
      })
      stops.push(
        hub.onSituation(() => {
          const view = hub.view()
          events.emit('hub.changed', view)
          if (view.trouble === 'in-use') own.doubtAll()
          if (view.situation === before) return
          before = view.situation
          own.situationChanged()
          if (before === 'together') together()
        }),
        hub.onNews('words', () => shared?.exchange()),
        hub.onNews('stations', () => {
          board.refresh()
        }),
        hub.onNews('claims', () => {
          own.compare()
        }),
      )
      timers.add(setInterval(compare, betweenComparisons).unref())
      timers.add(
        setInterval(() => {
          board.refresh()
        }, betweenWords).unref(),
      )
    },
    wokeUp() {
      hub.retryNow()
    },
    async stop(): Promise<void> {
      for (const timer of timers) clearTimeout(timer)
      for (const stop of stops) stop()
      await Promise.all([board.stop(), shared?.stop(), own?.stop()])
      // Until it is started again, this station reports nothing: the others need not wait for it to close the day.
      if (hub.isSetUp) await hub.stations.say({ ...parts.says(), isOff: true })
      await hub.close()
    },
  }
}

const Row = z.object({ tag_id: TagId, revision: z.number(), station_id: z.string(), at: z.number(), body: z.string() })
const Body = z.object({
  what: z.enum(['collided', 'taken-over', 'settling']),
  station: z.string(),
  orderId: z.string().nullable(),
  because: z.string().nullable(),
  ownOrderId: z.string().nullable(),
  isSoldHere: z.boolean(),
  hasLeft: z.boolean().default(false),
})

const OwnState = z.enum(['open', 'reported', 'refused'])
const Twice = z.object({ tag_id: TagId, body: z.string(), own: z.string() })

/** The notices that no person has seen yet, and the items of sales here that another station's order has too. */
function createNoticeList({ db }: Pick<CoreContext, 'db'>, productName: HubParts['productName']) {
  const selectUnseen = db.prepare('SELECT * FROM hub_notice WHERE is_seen = 0 ORDER BY at, tag_id LIMIT 200')
  const update = db.prepare('UPDATE hub_notice SET is_seen = 1 WHERE tag_id = ? AND revision = ? AND station_id = ?')
  const ownState = db
    .prepare(
      `SELECT CASE state WHEN 'accepted' THEN 'reported' WHEN 'rejected' THEN 'refused' ELSE 'open' END
       FROM operation_key JOIN operation USING (seq)
       WHERE key = ? AND kind = 'complete' AND state <> 'cancelled' ORDER BY seq DESC LIMIT 1`,
    )
    .pluck()
  /** An order that has the item in a sale here by now, also where it was still open when the other station told of it. */
  const selectTwice = db.prepare(`
    SELECT DISTINCT tag_id, body, body ->> '$.ownOrderId' AS own, at FROM hub_notice
    JOIN operation_key ON key = '${orderKey('')}' || (body ->> '$.ownOrderId') JOIN operation USING (seq)
    WHERE body ->> '$.what' IN ('collided', 'taken-over') AND body ->> '$.isOver' IS NOT 1
      AND kind = 'complete' AND state <> 'cancelled'
      AND EXISTS (SELECT 1 FROM json_each(CASE WHEN json_valid(payload) THEN payload ELSE '{}' END, '$.tagIds') WHERE value = tag_id)
    ORDER BY at DESC LIMIT 200`)
  const reportOf = ({ ownOrderId, isSoldHere }: z.infer<typeof Body>) =>
    isSoldHere && ownOrderId !== null ? (OwnState.optional().parse(ownState.get(orderKey(ownOrderId))) ?? null) : null
  const idOf = ({ tag_id, revision, station_id }: z.infer<typeof Row>) => `${tag_id} ${revision} ${station_id}`
  return {
    view: (): StoreNotice[] =>
      selectUnseen.all().flatMap((stored) => {
        const row = Row.parse(stored)
        const body = parseStored(Body, row.body)
        const tagId = row.tag_id
        if (!body) return []
        const { at } = row
        return [
          { ...body, id: idOf(row), at: iso(at), tagId, productName: productName(tagId), ownReport: reportOf(body) },
        ]
      }),
    soldTwice: (): SoldTwice[] =>
      selectTwice.all().flatMap((stored) => {
        const { tag_id: tagId, body, own } = Twice.parse(stored)
        const other = parseStored(Body, body)
        if (!other) return []
        const { station, orderId } = other
        return [{ tagId, productName: productName(tagId), ownOrderId: own, station, orderId }]
      }),
    see(ids: string[]) {
      for (const id of ids) {
        const [tagId, revision, stationId] = id.split(' ')
        if (stationId !== undefined) update.run(tagId, Number(revision), stationId)
      }
    },
  }
}
