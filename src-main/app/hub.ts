import type { Checkout } from '../counter/checkout'
import type { Limits } from '../outbox/views'
import type { Rules } from '../people/rules'
import { Presence } from '../hub/presence'
import { forgetHub } from '../hub/memory'
import { hubHandlers } from '../hub/handlers'
import { NoticeList } from '../hub/notice-list'
import { OwnClaims } from '../hub/own-claims'
import type { HubLog, NewsTopic } from '../hub/port'
import type { Heartbeat } from '../hub/rows'
import { SharedLog } from '../sharing/log'
import { peopleTopic } from '../sharing/topics/people'
import { settingsTopic } from '../sharing/topics/settings'
import { type Seal, createSeal } from '../privacy/seal'
import type { CoreContext } from './context'
import type { LookupParts } from './network'
import { sharedSettings } from './shared-settings'
import type { Surroundings } from './surroundings'

/** How often this station's claims are compared with the hub's, in ms; also soon after the hub answers again. */
const betweenComparisons = 30_000
const soon = 5_000
/** How often this station says how it is, in ms: gone for a minute, it is shown as gone. */
const betweenWords = 15_000

/** The store that this station shares with others. Without a hub nothing is prepared, asked or written. */
export function createHubParts(
  context: CoreContext,
  { lookup }: LookupParts,
  { gateLevels, hub: joined }: Surroundings,
  set: { limits: Limits; rules: Rules },
  checkout: () => Checkout,
  heartbeat: () => Heartbeat,
) {
  const { db, hub, events, settings } = context
  const notices = new NoticeList(context, (tagId) => lookup.cached(tagId)?.productName ?? null)
  const own = hub.isSetUp
    ? new OwnClaims({
        ...context,
        isSold: async (tagId) => {
          const found = await lookup.tag(tagId)
          if (found.ok) return found.value.soldOn !== null
          return found.error.code === 'service/not-found' ? false : undefined
        },
        letGo: (tagId) => checkout().holding.letGo(tagId),
        loseHeld: async () => checkout().shared?.loseResumed(),
      })
    : undefined
  const storeSeal = () => sealOf(joined)
  const presence = new Presence(context, heartbeat)
  if (!hub.isSetUp) forgetHub(db, settings)
  const shared = hub.isSetUp
    ? [
        new SharedLog(context, settingsTopic(sharedSettings(context, gateLevels, set, checkout), context)),
        sharedPeople(context, storeSeal),
      ]
    : []
  const timers = new Set<NodeJS.Timeout>()
  const stops: (() => void)[] = []

  const compare = () => {
    if (hub.view().situation !== 'online') return
    own?.compare()
    events.emit('sharing.due', null)
  }
  const cameOnline = () => {
    // The list of stations first: it is what a person sees of the store if the hub is gone again at once.
    presence.refresh()
    // A hub that was made anew gives them other names.
    notices.announce()
    own?.pushAgain()
    compare()
    // What was under way when the connection was lost has reached the hub by then, or never will.
    timers.add(setTimeout(compare, soon).unref())
  }
  return {
    handlers: hubHandlers(context, presence, notices),
    /** What the counter shares with the other stations; undefined without a hub. */
    sharing: own && { hub, claims: own, storeSeal },
    start() {
      if (!own) return
      let before = hub.view().situation
      if (before === 'online') cameOnline()
      events.on('operation.changed', 'app/hub.ts', ({ kind }) => {
        own.push()
        // What a person can do about a notice depends on what the service says of the sale.
        if (kind === 'complete' && !notices.isEmpty()) notices.announce()
      })
      stops.push(
        hub.onSituation(() => {
          const view = hub.view()
          events.emit('hub.changed', view)
          if (view.trouble === 'in-use') own.doubtAll()
          if (view.situation === before) return
          before = view.situation
          own.situationChanged()
          if (before === 'online') cameOnline()
        }),
        hub.onNews('stations', () => {
          presence.refresh()
        }),
        hub.onNews('claims', () => {
          own.compare()
        }),
      )
      timers.add(setInterval(compare, betweenComparisons).unref())
      timers.add(
        setInterval(() => {
          presence.refresh()
        }, betweenWords).unref(),
      )
    },
    wokeUp() {
      hub.retryNow()
    },
    async stop(): Promise<void> {
      for (const timer of timers) clearTimeout(timer)
      for (const stop of stops) stop()
      await Promise.all([presence.stop(), ...shared.map((log) => log.stop()), own?.stop()])
      // Until it is started again, this station reports nothing: the others need not wait for it to close the day.
      if (hub.isSetUp) await hub.stations.beat({ ...heartbeat(), isOff: true })
      await hub.close()
    },
  }
}

/** The seal that the stations of the store have in common; null until its key is known. */
async function sealOf(joined: Surroundings['hub']): Promise<Seal | null> {
  const key = (await joined?.secret())?.storeKey
  return key === undefined ? null : createSeal([Buffer.from(key, 'base64')])
}

/** The people of the store: exchanged once its key is known, because their PINs and badges are sealed with it. */
function sharedPeople(context: CoreContext, storeSeal: () => Promise<Seal | null>) {
  const { hub } = context
  let seal: Seal | null = null
  const since: HubLog['since'] = async (topic, revision) => {
    seal ??= await storeSeal()
    return seal ? hub.log.since(topic, revision) : undefined
  }
  const push: HubLog['push'] = (topic, known, records) => hub.log.push(topic, known, records)
  const withKey = {
    ...{ log: { since, push }, epoch: () => hub.epoch(), stationId: hub.stationId },
    onNews: (topic: NewsTopic, listen: () => void) => hub.onNews(topic, listen),
  }
  return new SharedLog({ ...context, hub: withKey }, peopleTopic({ ...context, storeSeal: () => seal ?? undefined }))
}
