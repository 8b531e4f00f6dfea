import { z } from 'zod'
import { type Store, query } from './query'

/** What the data file says once for the whole service. */
export interface Settings {
  /** Host of the printed codes, without a slash at the end. */
  tagUrl: string
  /** Seconds that an access token lives. */
  expiresIn: number
}

export function readSettings(store: Store): Settings {
  const rows = query(store, 'SELECT name, value FROM settings', z.object({ name: z.string(), value: z.string() })).all()
  const values = Object.fromEntries(rows.map(({ name, value }) => [name, value]))
  return z
    .object({ tag_url: z.string(), expires_in: z.coerce.number().int().positive() })
    .transform(({ tag_url, expires_in }) => ({ tagUrl: tag_url, expiresIn: expires_in }))
    .parse(values)
}
