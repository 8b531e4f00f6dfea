import { err, ok } from '../../src-shared/result'
import type { HandlersOf } from '../ipc/handlers'
import { saved } from '../database/saved'
import type { Presence } from './presence'
import type { NoticeList } from './notice-list'
import type { HubContext } from './hub-context'

/** Calls about the hub, the stations of the store, and what they did to each other. */
export const hubHandlers = (
  { hub, events, log }: HubContext,
  presence: Presence,
  notices: NoticeList,
): HandlersOf<'hub'> => ({
  'hub.view': () => ok(hub.view()),
  'hub.retry': () => {
    hub.retryNow()
    return ok(hub.view())
  },
  'hub.goOn': async ({ stations }) => {
    if (!(await hub.goOn(stations))) return err({ code: 'hub/unreachable' })
    log.warn('a person went on without the awaited stations')
    presence.refresh()
    return ok(hub.view())
  },
  'hub.notices': () => ok(notices.view()),
  'hub.soldTwice': () => ok(notices.soldTwice()),
  'hub.presence': () => {
    presence.refresh()
    return ok(presence.view())
  },
  'hub.removeStation': ({ id }) => presence.remove(id),
  'hub.seen': ({ ids }) =>
    saved(() => {
      notices.see(ids)
      events.emit('hub.notices', notices.view())
      return ok(null)
    }),
})
