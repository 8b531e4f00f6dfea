import { z } from 'zod'
import { UpdateView } from '../update-view'
import { call, nothing } from './call'

/** The update that waits for a restart, where the host fetches any. */
export const updateCalls = {
  'update.view': call(nothing, UpdateView),
  /** Agrees to the version that was on the screen; to another one it does nothing. */
  'update.restart': call(z.object({ version: z.string().max(100) }), UpdateView),
} as const

export const updateEvents = {
  'update.changed': UpdateView,
} as const
