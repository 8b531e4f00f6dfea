import type { AppStatus, ConnectionView, Locale, SalvageReport, Warning } from '../src-shared/ipc/contract/app'
import { type Clock, type ServiceClock, iso } from './clock'
import type { Log } from './log'
import type { Sender } from './outbox/sender'
import type { Limits } from './outbox/views'
import type { Rows } from './outbox/rows'
import type { Profile } from './profile'
import type { Tokens } from './service/tokens'

interface StatusParts {
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

/** Counting 100,000 operations takes some milliseconds: a sender must not do it for every one it sends. */
const betweenAnnouncements = 100
/** The age of the oldest unsent operation grows without anything happening. */
const betweenLooks = 60_000
/** And what is watched comes and goes without an event of its own. */
const betweenWatches = 10_000
/** A clock that differs by more than this, in ms, gets a warning. */
const tolerableSkew = 120_000

/** What the bar at the top of each screen says, and telling it when it changes. */
export function createStatusBoard(parts: StatusParts) {
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
      // The disk may refuse even a count. The caller of `changed` must not fail for it; the next look tries again.
      parts.log.warn('the status could not be announced', { cause })
    }
    timer = setTimeout(() => {
      timer = undefined
      if (isDue) announce()
    }, betweenAnnouncements)
    timer.unref()
  }
  const changed = () => {
    // The store is closed soon after: changes while the app closes are not announced.
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
    /** Something that it shows may have changed: it is announced at once, but no more than ten times a second. */
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
}

/** In ms. Each request ends sooner, but an operation may take several, and then the store. */
const slow = 30_000
const stuck = 120_000
/** A token that is late this long, in ms, is not just late. */
const late = 30_000

/** What goes on longer than it should, in the order of its weight. */
export const createWatch =
  ({ sender, tokens, serviceClock, clock }: WatchParts) =>
  (): Warning[] => {
    const onWire = sender.longestOnWireMs() ?? 0
    const lackingSince = tokens.lackingSince() ?? clock.now()
    return [
      ...(onWire > stuck ? ['sending-stuck' as const] : []),
      ...(onWire > slow && onWire <= stuck ? ['report-slow' as const] : []),
      ...(clock.now() - lackingSince > late ? ['no-token' as const] : []),
      ...(serviceClock.isWrong() ? ['service-clock-wrong' as const] : []),
    ]
  }
