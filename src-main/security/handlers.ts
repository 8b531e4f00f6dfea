import { ok } from '../../src-shared/result'
import type { HandlersOf } from '../ipc/handlers'
import type { Lock } from './lock'

/** Calls about the PIN and the gates. */
export const securityHandlers = (lock: Lock): HandlersOf<'security'> => ({
  'security.view': () => ok(lock.view()),
  'security.unlock': ({ pin }) => lock.unlock(pin),
  'security.lock': () => ok(lock.lock()),
  'security.setPin': ({ pin }) => lock.setPin(pin),
  'security.setAutoLock': ({ minutes }) => lock.setAutoLock(minutes),
  'security.gates': () => ok(lock.gates()),
  'security.setGate': ({ gate, level }) => lock.setGate(gate, level),
})
