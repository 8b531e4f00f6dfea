import { z } from 'zod'
import { AppStatus, Locale } from '../app-view'
import { call, nothing, done, longestText } from './call'

/** What every screen knows: how the app stands, and pictures. */
export const appCalls = {
  'app.status': call(nothing, AppStatus),
  'app.setLocale': call(z.object({ locale: Locale }), done),
  /** A picture of the service's own hosts as a `data:` URL; null when there is none to be had. */
  'media.picture': call(z.object({ url: z.string().max(longestText) }), z.object({ dataUrl: z.string().nullable() })),
} as const

export const appEvents = {
  'app.status': AppStatus,
  /** The core opened anew. With another profile (`isOther`) whatever a page knows is of the one before. */
  'app.reopened': z.object({ isOther: z.boolean() }),
} as const
