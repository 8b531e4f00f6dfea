import { z } from 'zod'
import { Pin, SecurityView } from '../security-view'
import { call, nothing } from './call'

/** The manager's PIN: what it opens, and when it closes again. */
export const securityCalls = {
  'security.view': call(nothing, SecurityView),
  'security.unlock': call(z.object({ pin: Pin }), SecurityView),
  'security.lock': call(nothing, SecurityView),
  /** Sets, changes or (null) takes away the PIN; needs to be unlocked where there is one. */
  'security.setPin': call(z.object({ pin: Pin.nullable() }), SecurityView),
  'security.setAutoLock': call(z.object({ minutes: z.number().int().min(1).max(240) }), SecurityView),
} as const

export const securityEvents = {
  'security.changed': SecurityView,
} as const
