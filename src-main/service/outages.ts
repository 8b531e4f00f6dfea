import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { ConnectionView } from '../../src-shared/ipc/contract/app'
import { type Outage, OutageCause } from '../../src-shared/ipc/contract/checkout'
import { type Clock, type ServiceClock, iso } from '../clock'
import type { Log } from '../log'

export type Outages = ReturnType<typeof createOutages>

interface OutageParts {
  db: Database
  clock: Clock
  serviceClock: Pick<ServiceClock, 'offset'>
  log: Pick<Log, 'warn'>
}

/** A shorter one is not kept, in ms: a service that fails one request in ten has no outages. */
const shortest = 2_000
/** How often it is noted that one still lasts, in ms: after a crash, its end is known to within this time. */
const betweenNotes = 30_000
/** How long outages are kept, in ms. */
const keptFor = 400 * 86_400_000
/** At most so many are given of one day. */
const mostOfDay = 200

const Row = z
  .object({ began_at: z.number(), ended_at: z.number().nullable(), cause: OutageCause.catch('failing') })
  .transform(({ began_at, ended_at, cause }): Outage => ({
    from: iso(began_at),
    to: ended_at === null ? null : iso(ended_at),
    cause,
  }))

/**
 * The times at which this station could not work with the service, kept for the closing report. A full disk loses an
 * entry, never a reply: nothing here throws but `during`.
 */
export function createOutages({ db, clock, serviceClock, log }: OutageParts) {
  const insert = db.prepare('INSERT OR REPLACE INTO outage (began_at, seen_at, cause) VALUES (?, ?, ?)')
  const see = db.prepare('UPDATE outage SET seen_at = max(seen_at, ?) WHERE ended_at IS NULL')
  const end = db.prepare('UPDATE outage SET ended_at = max(began_at, ?) WHERE ended_at IS NULL')
  const endUnseen = db.prepare('UPDATE outage SET ended_at = seen_at WHERE ended_at IS NULL')
  const dropShort = db.prepare('DELETE FROM outage WHERE ended_at - began_at < ?')
  const dropOld = db.prepare('DELETE FROM outage WHERE began_at < ?')
  const during = db.prepare(`
    SELECT began_at, ended_at, cause FROM outage
    WHERE began_at < ? AND coalesce(ended_at, seen_at) >= ? ORDER BY began_at LIMIT ${mostOfDay}`)
  let timer: NodeJS.Timeout | undefined

  const now = () => clock.now() + serviceClock.offset()
  const quietly = (change: () => void) => {
    try {
      db.transaction(change).immediate()
    } catch (cause) {
      log.warn('an outage could not be kept', { cause })
    }
  }
  const close = () => {
    clearInterval(timer)
    end.run(now())
    dropShort.run(shortest)
  }

  // An outage that the last process left open is taken to end when it was last noted.
  quietly(() => endUnseen.run())

  return {
    /** The connection changed. One trouble that turns into another is two outages, each with its cause. */
    changed(state: ConnectionView['state']): void {
      quietly(close)
      const cause = OutageCause.safeParse(state)
      if (!cause.success) return
      quietly(() => {
        const at = now()
        dropOld.run(at - keptFor)
        insert.run(at, at, cause.data)
      })
      timer = setInterval(() => quietly(() => see.run(now())), betweenNotes)
      timer.unref()
    },
    /** Those that touched the span (ms since 1970, end exclusive), oldest first. */
    during: (from: number, to: number): Outage[] => during.all(to, from).map((row) => Row.parse(row)),
    /** The station closes: an open outage ends now, because nothing later is known. */
    stop: () => quietly(close),
  }
}
