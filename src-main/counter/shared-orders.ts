import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { AppError } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import type { HeldOrder } from '../../src-shared/ipc/contract/checkout'
import { type Result, err, ok } from '../../src-shared/result'
import { singleFlight } from '../core/async'
import { iso } from '../core/clock'
import type { HeldInStore, TakenOrder } from '../hub/port'
import type { Seal } from '../privacy/seal'
import { saved } from '../database/saved'
import type { Counter } from './counter'
import type { SharingParts } from './sharing'
import type { OpenOrder } from './open-orders'

const Mapped = z.object({
  id: z.uuid(),
  open_order: z.number(),
  change: z.number(),
  is_asked: z.number(),
  is_over: z.number(),
})
type Mapped = z.infer<typeof Mapped>
const TakenId = z.object({ id: z.string() })

/**
 * What was not told of an order on hold is noted in the commit that changes it, by triggers of this connection: a station
 * without a hub has none.
 */
const triggers = `
  CREATE TEMP TRIGGER hub_held_begun AFTER UPDATE OF held_at ON open_order
  WHEN OLD.held_at IS NULL AND NEW.held_at IS NOT NULL BEGIN
    INSERT INTO hub_held (id, open_order) VALUES (hub_uuid(), NEW.id);
  END;
  CREATE TEMP TRIGGER hub_held_placed AFTER INSERT ON open_order WHEN NEW.held_at IS NOT NULL BEGIN
    INSERT INTO hub_held (id, open_order) VALUES (hub_uuid(), NEW.id);
  END;
  CREATE TEMP TRIGGER hub_held_resumed AFTER UPDATE OF held_at ON open_order
  WHEN OLD.held_at IS NOT NULL AND NEW.held_at IS NULL BEGIN
    UPDATE hub_held SET is_over = 1, change = change + 1 WHERE open_order = NEW.id AND is_over = 0;
  END;
  CREATE TEMP TRIGGER hub_held_dropped AFTER DELETE ON open_order WHEN OLD.held_at IS NOT NULL BEGIN
    UPDATE hub_held SET is_over = 1, change = change + 1 WHERE open_order = OLD.id AND is_over = 0;
  END;
  CREATE TEMP TRIGGER hub_held_item AFTER DELETE ON open_order_item BEGIN
    UPDATE hub_held SET change = change + 1 WHERE open_order = OLD.open_order AND is_over = 0;
  END;
  CREATE TEMP TRIGGER hub_held_about AFTER UPDATE OF order_id, budtender_id, customer_id ON open_order
  WHEN NEW.held_at IS NOT NULL BEGIN
    UPDATE hub_held SET change = change + 1 WHERE open_order = NEW.id AND is_over = 0;
  END;`

const productsNamed = 3

export type SharedOrders = ReturnType<typeof createSharedOrders>

/** The orders on hold of all stations of a store. Each is resumed by one station. */
export function createSharedOrders(counter: Counter, { hub, claims, storeSeal }: SharingParts) {
  const { db, events, orders, views, seal, clock, log, save, announce, lookup, announceHeld } = counter
  db.function('hub_uuid', () => randomUUID())
  db.exec(triggers)
  const selectDirty = db.prepare('SELECT * FROM hub_held WHERE change <> told LIMIT 50')
  const selectOpen = db.prepare('SELECT * FROM hub_held WHERE is_over = 0')
  const selectAll = db.prepare('SELECT * FROM hub_held')
  const selectOf = db.prepare('SELECT * FROM hub_held WHERE open_order = ? AND is_over = 0')
  const insert = db.prepare('INSERT INTO hub_held (id, open_order) VALUES (?, ?)')
  const markAsked = db.prepare('UPDATE hub_held SET is_asked = 1 WHERE id = ?')
  const markSynced = db.prepare('UPDATE hub_held SET told = ? WHERE id = ?')
  const markOver = db.prepare('UPDATE hub_held SET is_over = 1, change = change + 1 WHERE id = ?')
  const pushAgain = db.prepare('UPDATE hub_held SET change = change + 1 WHERE id = ?')
  const remove = db.prepare('DELETE FROM hub_held WHERE id = ? AND change = ?')
  const forget = db.prepare('DELETE FROM hub_held WHERE id = ?')
  const noteTaken = db.prepare('INSERT INTO hub_taken VALUES (?) ON CONFLICT DO NOTHING')
  const isTaken = db.prepare('SELECT 1 FROM hub_taken WHERE id = ?')
  const selectTaken = db.prepare('SELECT id FROM hub_taken')
  const forgetTaken = db.prepare('DELETE FROM hub_taken WHERE id = ?')
  const inOne = db.transaction((step: () => void) => {
    step()
  })

  /** Those of other stations, as the hub listed them last. */
  let others: HeldInStore[] = []

  const mapped = (row: unknown): Mapped | undefined => (row === undefined ? undefined : Mapped.parse(row))
  const openOnes = () => selectOpen.all().map((row) => Mapped.parse(row))

  // Held before this station joined, or while its hub was not asked.
  for (const { id } of orders.held()) if (selectOf.get(id) === undefined) insert.run(randomUUID(), id)

  const view = (): HeldOrder[] => [
    ...views.held(),
    ...others.map(({ id, body, stationName, heldAt }): HeldOrder => ({
      id,
      station: stationName,
      orderId: body.orderId,
      budtender: counter.rules.budtender(body.budtenderId),
      itemCount: body.items.length,
      products: body.products,
      heldAt: iso(heldAt),
    })),
  ]

  const bodyOf = (order: OpenOrder) => {
    const body = orders.bodyOf(order)
    const names = body.items.flatMap(({ tagId }) => lookup.cached(tagId)?.productName ?? [])
    return { ...body, products: [...new Set(names)].slice(0, productsNamed).map((name) => name.slice(0, 500)) }
  }

  const itemsOf = (order: OpenOrder) => orders.itemsOf(order).map(({ tagId }) => tagId)
  /** Claims that moved with an order. The order's other items may be another station's by now, whatever was granted before. */
  const keepMoved = (tagIds: TagId[], moved: { tagId: TagId; revision: number }[]) => {
    for (const { tagId, revision } of moved) claims.keep(tagId, { revision, isInSync: false })
    claims.doubt(tagIds.filter((one) => !moved.some(({ tagId }) => tagId === one)))
  }

  /** Returns false if the hub didn't answer. */
  const pushOne = async (one: Mapped, storeKey: Pick<Seal, 'seal'> | null): Promise<boolean> => {
    if (one.is_over === 1) {
      if (one.is_asked === 1 && !(await hub.held.finish(one.id))) return false
      remove.run(one.id, one.change)
      return true
    }
    const order = orders.byId(one.open_order)
    if (order?.heldAt == null) {
      markOver.run(one.id)
      return true
    }
    const customer = order.customerId === null ? null : (seal.open(order.customerId) ?? null)
    // Without the store's key an order with a customer stays here: another station would lose the customer.
    if (customer !== null && storeKey === null) return true
    // From now on another station may take it.
    if (one.is_asked === 0) markAsked.run(one.id)
    const sealed = customer === null ? null : (storeKey?.seal(customer) ?? null)
    if (!(await hub.held.put({ id: one.id, body: bodyOf(order), customer: sealed }))) return false
    markSynced.run(one.change, one.id)
    return true
  }
  const pushing = singleFlight(
    async () => {
      const due = selectDirty.all().map((row) => Mapped.parse(row))
      if (due.length === 0) return
      const storeKey = await storeSeal()
      for (const one of due) if (!(await pushOne(one, storeKey))) return
    },
    (cause) => {
      log.error('the hub could not be told of an order on hold', { cause })
    },
  )

  /** Saves an order that this station has taken, with the claims that came with it. Returns it, on hold. */
  const placed = async ({ order, claims: granted }: Extract<TakenOrder, { kind: 'taken' }>) => {
    const storeKey = order.customer === null ? null : await storeSeal()
    const customer = order.customer === null ? undefined : storeKey?.open(order.customer)
    if (order.customer !== null && customer === undefined)
      log.warn('the customer of a resumed order could not be opened')
    let made: OpenOrder | undefined
    const done = saved(() => {
      inOne.immediate(() => {
        made = orders.place(order.body, {
          customerId: customer === undefined ? null : seal.seal(customer),
          heldAt: clock.now(),
          // Taken over from this order, with the hub's word.
          keeps: (tagId) => claims.markOf(tagId) === null,
        })
        keepMoved(itemsOf(made), granted)
        noteTaken.run(order.id)
      })
      return ok(null)
    })
    if (!done.ok || !made) return done.ok ? undefined : done
    others = others.filter(({ id }) => id !== order.id)
    return ok(made)
  }
  /** Tells the hub that orders are saved here. */
  const confirmTaken = async (id: string) => {
    if (await hub.held.done(id)) forgetTaken.run(id)
  }

  /** An order of this station that another one has resumed or dropped leaves this station. */
  const loseTo = ({ id, open_order: open }: Mapped) => {
    const order = orders.byId(open)
    inOne.immediate(() => {
      if (order && order.heldAt !== null) orders.drop(open)
      forget.run(id)
    })
  }

  const refreshing = singleFlight(
    async () => {
      const asked = openOnes().filter(({ is_asked: isAsked }) => isAsked === 1)
      const status = asked.length > 0 ? await hub.held.status(asked.map(({ id }) => id)) : []
      // Read first: what is saved here and not among those taken any more is confirmed, whether the answer came or not.
      const savedHere = selectTaken.all().map((row) => TakenId.parse(row).id)
      const [list, taken] = [await hub.held.list(), await hub.held.taken()]
      if (!status || !list || !taken) return
      for (const id of savedHere) if (!taken.includes(id)) forgetTaken.run(id)
      const known = new Map(status.map((one) => [one.id, one]))
      const own = hub.stationId
      for (const before of asked) {
        // Resumed or changed here while the hub was asked: the next look sees it.
        const now = mapped(selectOf.get(before.open_order))
        if (now?.id !== before.id) continue
        const there = known.get(before.id)
        if (!there) pushAgain.run(before.id)
        else if (there.takenBy !== null && there.takenBy !== own) loseTo(before)
        // Taken to be resumed here, and never saved as resumed: it is on hold anew.
        else if (there.takenBy !== null && !resuming.has(before.id)) {
          inOne.immediate(() => {
            markOver.run(before.id)
            insert.run(randomUUID(), before.open_order)
          })
        }
      }
      // Orders that are resumed here count too: the hub gets to know soon.
      const ours = new Set(selectAll.all().map((row) => Mapped.parse(row).id))
      // The list may be from before this station took one.
      const savedNow = new Set([...savedHere, ...selectTaken.all().map((row) => TakenId.parse(row).id)])
      others = list.filter(({ id, stationId }) => !ours.has(id) && !savedNow.has(id) && stationId !== own)
      for (const id of taken) {
        if (ours.has(id) || resuming.has(id)) continue
        if (isTaken.get(id) !== undefined) {
          await confirmTaken(id)
          continue
        }
        // This station crashed between taking it and saving it.
        const again = await hub.held.take(id)
        if (again.kind === 'taken' && (await placed(again))?.ok === true) await confirmTaken(id)
      }
      announceHeld()
      pushing.ask()
    },
    (cause) => {
      log.error('the orders on hold of the store could not be read', { cause })
    },
  )

  /** Orders that are being resumed now: between the hub's answer and the commit. */
  const resuming = new Set<string>()
  const whileResuming = async <T>(id: string, work: () => Promise<T>): Promise<T> => {
    resuming.add(id)
    try {
      return await work()
    } finally {
      resuming.delete(id)
    }
  }

  /** Asked before the hub is, and again with its answer: a person may have typed for the order in front meanwhile. */
  const objectionTo = (order: OpenOrder | undefined) => order && orders.resumeObjection(order)

  const resumeHere = (id: number): Result<null, AppError> => {
    const objection = objectionTo(orders.byId(id))
    if (objection) return err(objection)
    return save({ mode: 'sale', heldAt: null }, () => {
      orders.resume(id, clock.now())
    })
  }

  const resumeOwn = async (id: number): Promise<Result<null, AppError>> => {
    // Another station may just have resumed it.
    const before = orders.byId(id)
    if (before?.heldAt == null) return err({ code: 'checkout/not-held' })
    const objection = objectionTo(before)
    if (objection) return err(objection)
    const itemsNow = () => itemsOf(before)
    const one = mapped(selectOf.get(id))
    if (!one || one.is_asked === 0) return resumeHere(id)
    return whileResuming(one.id, async () => {
      const answer = await hub.held.takeOwn(one.id, itemsNow())
      if (orders.byId(id)?.heldAt == null) return err({ code: 'checkout/not-held' })
      if (answer.kind === 'gone') {
        refreshing.ask()
        return err({ code: 'checkout/held-elsewhere' })
      }
      if (answer.kind === 'offline' && claims.policy() === 'refuse') return err({ code: 'checkout/held-unreachable' })
      const later = objectionTo(orders.byId(id))
      if (later) return err(later)
      return save({ mode: 'sale', heldAt: null }, () => {
        orders.resume(id, clock.now())
        keepMoved(itemsNow(), answer.kind === 'taken' ? answer.claims : [])
      })
    })
  }

  const resumeOther = async (id: string): Promise<Result<null, AppError>> => {
    const order = others.find((one) => one.id === id)
    // The hub would give it twice: the second time may be the first one's lost answer.
    if (!order || resuming.has(id)) return err({ code: 'checkout/not-held' })
    // Whether it has a customer is seen once it is here.
    const objection = orders.resumeObjection({ orderId: order.body.orderId, customerId: null })
    if (objection) return err(objection)
    const tagIds = order.body.items.map(({ tagId }) => tagId)
    return whileResuming(id, () => claims.protect(tagIds, () => takeOther(id)))
  }
  const takeOther = async (id: string): Promise<Result<null, AppError>> => {
    const answer = await hub.held.take(id)
    if (answer.kind === 'gone') {
      refreshing.ask()
      return err({ code: 'checkout/held-elsewhere' })
    }
    if (answer.kind === 'offline') return err({ code: 'checkout/held-unreachable' })
    const made = await placed(answer)
    if (!made) return err({ code: 'checkout/not-held' })
    if (!made.ok) return made
    void confirmTaken(id).catch((cause: unknown) => {
      log.warn('the hub could not be told of a resumed order', { cause })
    })
    return resumeHere(made.value.id)
  }

  counter.showHeld(view)
  const stops: (() => void)[] = []
  return {
    /** All that can be resumed: here first, then those of other stations. */
    view,
    /**
     * Resumes an order of this station or of another one. Errors: checkout/not-held, -order-begun, -held-elsewhere,
     * -held-unreachable, store/not-saved.
     */
    async resume(id: HeldOrder['id']): Promise<Result<ReturnType<typeof announce>, AppError>> {
      const done = await (typeof id === 'number' ? resumeOwn(id) : resumeOther(id))
      const change = done.ok ? announce('sale') : undefined
      announceHeld()
      pushing.ask()
      claims.push()
      return change ? ok(change) : done.ok ? err({ code: 'checkout/not-held' }) : done
    },
    /** Drops another station's order for the whole store. Errors: checkout/held-unreachable. */
    async dropOther(id: string): Promise<Result<null, AppError>> {
      if (!(await hub.held.drop(id))) return err({ code: 'checkout/held-unreachable' })
      others = others.filter((one) => one.id !== id)
      announceHeld()
      refreshing.ask()
      return ok(null)
    },
    /** Orders that another station has resumed leave this one. Nothing happens if the hub doesn't answer. */
    async loseResumed(): Promise<void> {
      const asked = openOnes().filter(({ is_asked: isAsked }) => isAsked === 1)
      const status = asked.length > 0 ? await hub.held.status(asked.map(({ id }) => id)) : []
      const isTaken = ({ id }: Mapped) =>
        status?.some((one) => one.id === id && one.takenBy !== null && one.takenBy !== hub.stationId)
      const gone = asked.filter((one) => isTaken(one) && mapped(selectOf.get(one.open_order))?.id === one.id)
      for (const one of gone) loseTo(one)
      if (gone.length > 0) announceHeld()
    },
    /** Tells the hub what has changed. Call after a commit that changed orders on hold. Never rejects. */
    push: () => {
      pushing.ask()
    },
    start() {
      stops.push(
        hub.onNews('held', () => {
          refreshing.ask()
        }),
        events.on('sharing.due', 'counter/shared-orders.ts', () => {
          refreshing.ask()
        }),
      )
      refreshing.ask()
    },
    async stop(): Promise<void> {
      for (const stop of stops) stop()
      await refreshing.stop()
      await pushing.stop()
    },
  }
}
