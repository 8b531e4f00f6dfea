import type { AppStatus, ConnectionView, Warning } from '../src-shared/ipc/app-view'
import type { Locale, SalvageReport } from '../src-shared/ipc/app-view'
import { type ServiceClock, iso } from './clock'
import type { Log } from './log'
import type { Limits } from './outbox/views'
import type { Rows } from './outbox/rows'
import type { Profile } from './profile'

/** What the bar at the top of each screen says, and telling it when it changes. */
export interface StatusBoard {
  view(): AppStatus
  /** Something that it shows may have changed: it is announced at once, but no more than ten times a second. */
  changed(): void
  stop(): void
}

export interface StatusParts {
  profile: Pick<Profile, 'kind' | 'name'>
  version: string
  connection: () => ConnectionView
  counts: Rows['counts']
  limits: Limits
  serviceClock: Pick<ServiceClock, 'offset'>
  locale: () => Locale
  backup: () => { lastAt: number | null; isFailing: boolean }
  salvage: () => SalvageReport | null
  /** What goes on longer than it should, at this moment. Cheap: it is asked every few seconds. */
  watch: () => Warning[]
  announce: (status: AppStatus) => void
  log: Pick<Log, 'warn'>
}

/** Counting 100,000 operations takes some milliseconds, too long to do for every one that is sent. */
const betweenAnnouncements = 100
/** The age of the oldest unsent operation grows without anything happening. */
const betweenLooks = 60_000
/** And what is watched comes and goes without an event of its own. */
const betweenWatches = 10_000
/** A clock that is further off than this, in ms, is told of. */
const tolerableSkew = 120_000

export function createStatusBoard(parts: StatusParts): StatusBoard {
  let timer: NodeJS.Timeout | undefined
  let isDue = false
  let isStopped = false

  const view = (): AppStatus => {
    const counts = parts.counts()
    const clockOffset = parts.serviceClock.offset()
    const backup = parts.backup()
    const salvage = parts.salvage()
    const warnings: Warning[] = [
      ...(salvage ? ['data-salvaged' as const] : []),
      ...parts.watch(),
      ...parts.limits.warnings(counts),
      ...(Math.abs(clockOffset) > tolerableSkew ? ['clock-off' as const] : []),
      ...(backup.isFailing ? ['backup-failing' as const] : []),
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
      parts.announce(view())
    } catch (cause) {
      // A disk that can't even be counted on. It is asked again, and whoever changed something is not to blame.
      parts.log.warn('the status could not be announced', { cause })
    }
    timer = setTimeout(() => {
      timer = undefined
      if (isDue) announce()
    }, betweenAnnouncements)
    timer.unref()
  }
  const changed = () => {
    // What still happens while the app closes is announced to nobody: by the next look the store is closed.
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

  return {
    view,
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
