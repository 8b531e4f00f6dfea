import { ok } from '../../src-shared/result'
import type { StationHandlers } from '../ipc/handlers'
import type { Lock } from '../security/lock'
import type { Support } from '../support/support'
import type { ConnectionDesk } from './connection-desk'
import type { FirstStart, Till, UpdateOffer } from './till'

export interface StationTableParts {
  desk: ConnectionDesk
  lock: Lock
  support: Support
  firstStart: FirstStart
  till: Till
  update: UpdateOffer
}

/** Which part answers which call of those that outlive a profile. No rules in here. */
export function createStationHandlers(parts: StationTableParts): StationHandlers {
  const { desk, lock, support, firstStart, till, update } = parts
  return {
    'station.welcome': () => ok(firstStart.view()),
    'station.welcomed': () => firstStart.answered(),

    'connection.settings': async () => ok(await desk.settings()),
    'connection.saveProfile': ({ id, profile }) => desk.saveProfile(id, profile),
    'connection.removeProfile': ({ id }) => desk.removeProfile(id),
    'connection.setCredentials': ({ id, product, credentials, isSameStore }) =>
      desk.setCredentials(id, product, credentials, isSameStore),
    'connection.forgetCredentials': ({ id, product }) => desk.forgetCredentials(id, product),
    'connection.test': ({ id }) => desk.test(id),
    'connection.use': ({ id }) => desk.use(id),

    'security.view': () => ok(lock.view()),
    'security.unlock': ({ pin }) => lock.unlock(pin),
    'security.lock': () => ok(lock.lock()),
    'security.setPin': ({ pin }) => lock.setPin(pin),
    'security.setAutoLock': ({ minutes }) => lock.setAutoLock(minutes),

    'support.about': () => ok(support.about()),
    'support.diagnostics': () => ok(support.diagnostics()),
    'support.licences': () => ok(support.licences()),

    'till.view': () => ok(till.view()),
    'till.change': (wanted) => till.change(wanted),

    'update.view': () => ok(update.view()),
    'update.restart': ({ version }) => ok(update.agree(version)),
  }
}
