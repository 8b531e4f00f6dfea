import type { Clock, ServiceClock } from '../clock'
import type { Log } from '../log'
import type { Outbox } from '../outbox/outbox'
import type { Connection } from '../service-client/connection'
import { dayOf, spanOf } from './entries'
import type { ReadBackRows } from './readback-rows'
import type { Verifying } from './verify-day'

/** Verifies the last day with reports by itself once it is over, when the station has nothing else to do. */
export interface IdleVerifying {
  start(): void
  /** Looks whether there is a day to verify, and starts it. */
  look(): void
  stop(): void
}

export interface IdleParts {
  rows: Pick<ReadBackRows, 'reading' | 'running' | 'reportsTaken' | 'lastReportBefore' | 'lastSavedAt'>
  verifying: Pick<Verifying, 'verify'>
  outbox: { read: Pick<Outbox['read'], 'counts'> }
  connection: Pick<Connection, 'view'>
  clock: Clock
  serviceClock: Pick<ServiceClock, 'offset'>
  log: Pick<Log, 'info' | 'warn'>
}

/** Between two looks, in ms. */
const interval = 60_000
/** So long after the newest operation the counter counts as idle, in ms. */
const calm = 600_000
/** An older day is verified only when a person asks for it, in ms. */
const oldest = 7 * 86_400_000

export function createIdleVerifying(parts: IdleParts): IdleVerifying {
  const { rows, verifying, outbox, connection, clock, serviceClock, log } = parts
  let timer: NodeJS.Timeout | undefined

  const isIdle = () => {
    if (connection.view().state !== 'online' || outbox.read.counts().unsent > 0) return false
    const savedAt = rows.lastSavedAt()
    // A time to come was written before the clock was set back: it says nothing of how long ago that was.
    const since = savedAt === null ? calm : clock.now() - savedAt
    return since >= calm || since < 0
  }

  /** The last day before today with reports, unless it is verified, being verified, or paused by a person. */
  const dayToVerify = (): string | null => {
    if (rows.running() !== undefined) return null
    const now = clock.now() + serviceClock.offset()
    const [startOfToday] = spanOf(dayOf(now))
    const last = rows.lastReportBefore(startOfToday)
    if (last === null || last < now - oldest) return null
    const day = dayOf(last)
    const reading = rows.reading(day)
    if (!reading) return day
    return reading.state === 'finished' && rows.reportsTaken(spanOf(day)) !== reading.reports ? day : null
  }

  const look = () => {
    try {
      const day = isIdle() ? dayToVerify() : null
      if (day === null) return
      log.info('a day is verified by itself', { day })
      verifying.verify(day)
    } catch (cause) {
      // A disk that refuses: at the next look.
      log.warn('no day could be verified', { cause })
    }
  }

  return {
    look,
    start() {
      timer = setInterval(look, interval)
      timer.unref()
    },
    stop() {
      clearInterval(timer)
    },
  }
}
