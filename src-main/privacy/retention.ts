import type { Database } from 'better-sqlite3'
import type { Clock } from '../clock'
import type { Log } from '../log'
import { customerOf } from './customers'

/**
 * How long customers and the journal steps of settled reports are kept, in days.
 *
 * A refused report keeps its customer longer than a settled one, because it may be sent again with the customer. After a
 * month the customer is no longer useful. The same applies to an order on hold.
 */
const kept = { settled: 7, refused: 30, held: 30, steps: 400 } as const

const day = 86_400_000
/** Runs repeatedly, because a till may stay on for weeks. In ms. */
const interval = 6 * 3_600_000
/** Steps deleted per run, so that the counter doesn't wait. */
const mostSteps = 2_000

const isSale = `kind IN ('complete', 'return', 'void')`
const isSettled = `state IN ('accepted', 'cancelled')`
/** By this computer's clock. */
const lastStep = 'coalesce((SELECT max(at) FROM journal WHERE operation_seq = seq), performed_at_raw)'

/** Erases customers that are no longer needed, and journal steps of operations settled more than a year ago. */
export function createRetention({ db, clock, log }: { db: Database; clock: Clock; log: Log }) {
  const erase = (which: string) =>
    db.prepare(`
      UPDATE operation SET payload = json_remove(payload, '$.customerId')
      WHERE ${isSale} AND ${customerOf} IS NOT NULL AND ${which}`)
  const eraseSettled = erase(`${isSettled} AND ${lastStep} < ?`)
  const eraseRefused = erase(`state = 'rejected' AND ${lastStep} < ?`)
  // A current order that was never put on hold is as old as its last scan.
  const eraseHeld = db.prepare(`
    UPDATE open_order SET customer_id = NULL WHERE customer_id IS NOT NULL
      AND coalesce(held_at, (SELECT max(scanned_at) FROM open_order_item WHERE open_order = id)) < ?`)
  // In a salvaged database, reports may have been settled without the trigger that erases customers.
  const eraseAsked = erase(`${isSettled} AND ${customerOf} IN (SELECT customer_id FROM customer_erasure)`)
  // The request is fulfilled; a later visit of the customer is recorded normally.
  const forgetAsked = db.prepare(`
    DELETE FROM customer_erasure
    WHERE customer_id NOT IN (SELECT customer_id FROM open_order WHERE customer_id IS NOT NULL)
      AND customer_id NOT IN (SELECT ${customerOf} FROM operation WHERE ${isSale} AND ${customerOf} IS NOT NULL)`)
  // Deletes from the oldest step up to the first one recent enough. The last step of each operation stays: it records the
  // final state, which salvaging also needs. The table's triggers enforce the same rule.
  const prune = db.prepare(`
    DELETE FROM journal WHERE entry IN (
      SELECT entry FROM journal AS step JOIN operation ON seq = operation_seq
      WHERE entry < coalesce((SELECT entry FROM journal WHERE at BETWEEN @before AND @now ORDER BY entry LIMIT 1), 0)
        AND at < @before AND ${isSettled}
        AND EXISTS (SELECT 1 FROM journal AS later WHERE later.operation_seq = step.operation_seq AND later.entry > step.entry)
      ORDER BY entry LIMIT ${mostSteps})`)
  let timer: NodeJS.Timeout | undefined

  const eraseAll = db.transaction((now: number) => {
    const reports =
      eraseSettled.run(now - kept.settled * day).changes +
      eraseRefused.run(now - kept.refused * day).changes +
      eraseAsked.run().changes
    const orders = eraseHeld.run(now - kept.held * day).changes
    forgetAsked.run()
    return { reports, orders }
  })

  const look = () => {
    const now = clock.now()
    try {
      const { reports, orders } = eraseAll.immediate(now)
      if (reports + orders > 0) log.info('customers erased', { reports, orders })
      const { changes: steps } = prune.run({ now, before: now - kept.steps * day })
      if (steps > 0) log.info('old steps taken away', { steps })
    } catch (cause) {
      // If the disk refuses, the next run tries again.
      log.warn('what is old could not be taken away', { cause })
    }
    timer = setTimeout(look, interval).unref()
  }

  return {
    start: look,
    stop: () => {
      clearTimeout(timer)
    },
  }
}
