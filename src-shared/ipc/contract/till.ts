import { z } from 'zod'
import { TillView } from '../till-view'
import { call, nothing } from './call'

/** How this computer is used as a till; null in a browser, which has a window of its own. */
export const tillCalls = {
  'till.view': call(nothing, TillView.nullable()),
  /** What is left out stays as it is. */
  'till.change': call(
    z.object({ isKiosk: z.boolean().optional(), startsWithComputer: z.boolean().optional() }),
    TillView.nullable(),
  ),
} as const
