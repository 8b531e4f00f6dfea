import { type AppStatus, Locale, type Warning } from '../../src-shared/ipc/contract/app'
import { type Clock, type ServiceClock, iso } from '../core/clock'
import type { RoomContext } from '../core/context'
import type { Sender } from '../outbox/sender'
import type { Limits } from '../outbox/views'
import type { Rows } from '../outbox/rows'
import type { Profile } from '../credentials/profile'
import type { Tokens } from '../service/tokens'
import type { StationClock } from '../core/station-clock'
import type { Store } from '../database/open'
import type { Settings } from '../database/settings'
import type { Connection } from '../service/connection'

/** What the status is read from. */
export interface StatusContext extends Pick<RoomContext, 'events' | 'log'> {
  profile: Pick<Profile, 'kind' | 'name' | 'dispensaryId'>
  version: string
  clock: Clock & Partial<Pick<StationClock, 'lead' | 'isEstimate'>>
  serviceClock: Pick<ServiceClock, 'offset' | 'isWrong'>
  connection: Pick<Connection, 'view'>
  tokens: Pick<Tokens, 'lackingSince'>
  settings: Pick<Settings, 'read'>
  store: Pick<Store, 'salvage'>
  backup: { view: () => { lastAt: number | null; isFailing: boolean } }
  outbox: { read: Pick<Rows, 'counts'> }
  sender: Pick<Sender, 'longestOnWireMs'>
  limits: Pick<Limits, 'warnings'>
}

/** Counting 100,000 operations takes some milliseconds, too long for every operation that is sent. In ms. */
const betweenAnnouncements = 100
/** The age of the oldest unsent operation grows without any event. In ms. */
const betweenLooks = 60_000
/** Warnings from `watch` come and go without an event. In ms. */
const betweenWatches = 10_000
/** A clock that is off by more than this, in ms, gets a warning. */
const tolerableSkew = 120_000

/**
 * The content of the status bar at the top of each screen; announces its changes. `watch`: work that currently takes longer than
 * it should. Must be cheap: called every few seconds.
 */
export function createStatusBoard(context: StatusContext, watch = createWatch(context)) {
  let timer: NodeJS.Timeout | undefined
  let isDue = false
  let isStopped = false

  const view = (): AppStatus => {
    const { profile, clock, serviceClock, settings, store } = context
    const counts = context.outbox.read.counts()
    const clockOffset = serviceClock.offset() + (clock.lead?.() ?? 0)
    const backup = context.backup.view()
    const salvage = store.salvage()
    const watched = watch()
    const warnings: Warning[] = [
      ...(salvage ? ['data-salvaged' as const] : []),
      ...watched,
      ...context.limits.warnings(counts),
      ...(Math.abs(clockOffset) > tolerableSkew && !watched.includes('clock-impossible') ? ['clock-off' as const] : []),
      ...(backup.isFailing ? ['backup-failing' as const] : []),
      ...(profile.dispensaryId === null ? ['dispensary-not-set' as const] : []),
    ]
    return {
      profile: { kind: profile.kind, name: profile.name },
      connection: context.connection.view(),
      unsent: counts.unsent,
      oldestUnsentAt: counts.oldestUnsentAt === null ? null : iso(counts.oldestUnsentAt),
      attention: counts.attention,
      clockOffset,
      warnings,
      store: { lastBackupAt: backup.lastAt === null ? null : iso(backup.lastAt), salvage },
      locale: settings.read('locale', Locale) ?? 'en',
      version: context.version,
    }
  }

  const announce = () => {
    isDue = false
    try {
      context.events.emit('app.status', view())
    } catch (cause) {
      // Even counting may fail if the disk does. The caller of `changed` must not fail because of it; the next update
      // tries again.
      context.log.warn('the status could not be announced', { cause })
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
  const watching = setInterval(() => {
    const now = watch().join()
    if (now === watched) return
    watched = now
    changed()
  }, betweenWatches)
  watching.unref()
  const { events } = context
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
      clearInterval(watching)
      timer = undefined
      isDue = false
    },
  }
}

/** In ms. A single request ends sooner, but an operation may need several requests and a write to the store. */
const slow = 30_000
const stuck = 120_000
/** A token that is missing for this long, in ms, gets a warning. */
const late = 30_000

/** Work that takes longer than it should, most important first. */
export const createWatch =
  ({ sender, tokens, serviceClock, clock }: Pick<StatusContext, 'sender' | 'tokens' | 'serviceClock' | 'clock'>) =>
  (): Warning[] => {
    const onWire = sender.longestOnWireMs() ?? 0
    const lackingSince = tokens.lackingSince() ?? clock.now()
    return [
      ...(onWire > stuck ? ['sending-stuck' as const] : []),
      ...(onWire > slow && onWire <= stuck ? ['report-slow' as const] : []),
      ...(clock.now() - lackingSince > late ? ['no-token' as const] : []),
      ...(clock.isEstimate?.() === true ? ['clock-impossible' as const] : []),
      ...(serviceClock.isWrong() && clock.isEstimate?.() !== true ? ['service-clock-wrong' as const] : []),
    ]
  }
