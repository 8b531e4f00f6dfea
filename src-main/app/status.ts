import type { AppStatus, ConnectionView, Locale, SalvageReport, Warning } from '../../src-shared/ipc/contract/app'
import { type Clock, type ServiceClock, iso } from '../core/clock'
import type { MainEvents } from '../core/events'
import type { Log } from '../core/log'
import type { Sender } from '../outbox/sender'
import type { Limits } from '../outbox/views'
import type { Rows } from '../outbox/rows'
import type { Profile } from '../credentials/profile'
import type { Tokens } from '../service/tokens'
import type { StationClock } from '../core/station-clock'

interface StatusParts {
  profile: Pick<Profile, 'kind' | 'name' | 'dispensaryId'>
  version: string
  connection: () => ConnectionView
  counts: Rows['counts']
  limits: Limits
  serviceClock: Pick<ServiceClock, 'offset'>
  /** What is added to the computer's clock, which is wrong, in ms; 0 if omitted. */
  lead?: () => number
  locale: () => Locale
  backup: () => { lastAt: number | null; isFailing: boolean }
  salvage: () => SalvageReport | null
  /** Work that currently takes longer than it should. Must be cheap: called every few seconds. */
  watch: () => Warning[]
  events: Pick<MainEvents, 'emit' | 'on'>
  log: Pick<Log, 'warn'>
}

/** Counting 100,000 operations takes some milliseconds, too long for every operation that is sent. In ms. */
const betweenAnnouncements = 100
/** The age of the oldest unsent operation grows without any event. In ms. */
const betweenLooks = 60_000
/** Warnings from `watch` come and go without an event. In ms. */
const betweenWatches = 10_000
/** A clock that is off by more than this, in ms, gets a warning. */
const tolerableSkew = 120_000

/** The content of the status bar at the top of each screen; announces its changes. */
export function createStatusBoard(parts: StatusParts) {
  let timer: NodeJS.Timeout | undefined
  let isDue = false
  let isStopped = false

  const view = (): AppStatus => {
    const counts = parts.counts()
    const clockOffset = parts.serviceClock.offset() + (parts.lead?.() ?? 0)
    const backup = parts.backup()
    const salvage = parts.salvage()
    const watched = parts.watch()
    const warnings: Warning[] = [
      ...(salvage ? ['data-salvaged' as const] : []),
      ...watched,
      ...parts.limits.warnings(counts),
      ...(Math.abs(clockOffset) > tolerableSkew && !watched.includes('clock-impossible') ? ['clock-off' as const] : []),
      ...(backup.isFailing ? ['backup-failing' as const] : []),
      ...(parts.profile.dispensaryId === null ? ['dispensary-not-set' as const] : []),
    ]
    return {
      profile: { kind: parts.profile.kind, name: parts.profile.name },
      connection: parts.connection(),
      unsent: counts.unsent,
      oldestUnsentAt: counts.oldestUnsentAt === null ? null : iso(counts.oldestUnsentAt),
      attention: counts.attention,
      clockOffset,
      warnings,
      store: { lastBackupAt: backup.lastAt === null ? null : iso(backup.lastAt), salvage },
      locale: parts.locale(),
      version: parts.version,
    }
  }

  const announce = () => {
    isDue = false
    try {
      parts.events.emit('app.status', view())
    } catch (cause) {
      // Even counting may fail if the disk does. The caller of `changed` must not fail because of it; the next update
      // tries again.
      parts.log.warn('the status could not be announced', { cause })
    }
    timer = setTimeout(() => {
      timer = undefined
      if (isDue) announce()
    }, betweenAnnouncements)
    timer.unref()
  }
  const changed = () => {
    // The store closes soon after `stop`, so changes while the app closes are not announced.
    if (isStopped) return
    if (timer) isDue = true
    else announce()
  }
  const look = setInterval(changed, betweenLooks)
  look.unref()
  let watched = ''
  const watch = setInterval(() => {
    const now = parts.watch().join()
    if (now === watched) return
    watched = now
    changed()
  }, betweenWatches)
  watch.unref()
  const { events } = parts
  events.on('operation.changed', 'app/status.ts', changed)
  events.on('connection.changed', 'app/status.ts', changed)
  events.on('limits.changed', 'app/status.ts', changed)
  events.on('backup.changed', 'app/status.ts', changed)

  return {
    view,
    /** Call when something the status shows may have changed. Announces at once, but at most ten times a second. */
    changed,
    stop() {
      isStopped = true
      clearTimeout(timer)
      clearInterval(look)
      clearInterval(watch)
      timer = undefined
      isDue = false
    },
  }
}

interface WatchParts {
  sender: Pick<Sender, 'longestOnWireMs'>
  tokens: Pick<Tokens, 'lackingSince'>
  serviceClock: Pick<ServiceClock, 'isWrong'>
  clock: Clock
  /** The station's clock, if it can be wrong. */
  station?: Pick<StationClock, 'isEstimate'>
}

/** In ms. A single request ends sooner, but an operation may need several requests and a write to the store. */
const slow = 30_000
const stuck = 120_000
/** A token that is missing for this long, in ms, gets a warning. */
const late = 30_000

/** Work that takes longer than it should, most important first. */
export const createWatch =
  ({ sender, tokens, serviceClock, clock, station }: WatchParts) =>
  (): Warning[] => {
    const onWire = sender.longestOnWireMs() ?? 0
    const lackingSince = tokens.lackingSince() ?? clock.now()
    return [
      ...(onWire > stuck ? ['sending-stuck' as const] : []),
      ...(onWire > slow && onWire <= stuck ? ['report-slow' as const] : []),
      ...(clock.now() - lackingSince > late ? ['no-token' as const] : []),
      ...(station?.isEstimate() === true ? ['clock-impossible' as const] : []),
      ...(serviceClock.isWrong() && station?.isEstimate() !== true ? ['service-clock-wrong' as const] : []),
    ]
  }
