import type pg from 'pg'
import { z } from 'zod'

const Connected = z.object({ processID: z.number() })
const Session = z.object({ pid: z.number() })

const sessionOf = async (client: pg.Client): Promise<number | undefined> => {
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
  return Session.safeParse(rows[0]).data?.pid
}

/** Whether a connection leads to the session that it was given at the start: a pooler gives a number of its own. */
async function isDirect(client: pg.Client): Promise<boolean> {
  return Connected.safeParse(client).data?.processID === (await sessionOf(client))
}

/**
 * Whether a pooler gives a session to a connection for a transaction only, as PgBouncer with `pool_mode = transaction`: news,
 * prepared statements and limits of a station would then get lost, or end up at another one. A pooler that gives a session for
 * as long as the connection lasts is as good as none. `other`: makes a second connection to the same address.
 */
export async function isPooled(one: pg.Client, other: () => Promise<pg.Client>): Promise<boolean> {
  if (await isDirect(one)) return false
  const before = await sessionOf(one)
  const second = await other()
  for (let look = 0; look < looks; look++) if (await changesHands(one, second, before)) return true
  return false
}

/** Of two sessions given in turn, the second look gets the first one's. More looks allow for sessions opened meanwhile. */
const looks = 4

/** Whether two connections are given one another's session: a free one goes to the connection that asks next. */
async function changesHands(one: pg.Client, second: pg.Client, before: number | undefined): Promise<boolean> {
  await second.query('BEGIN')
  try {
    return (await sessionOf(second)) === before || (await sessionOf(one)) !== before
  } finally {
    await second.query('ROLLBACK')
  }
}

/** Limits at the server, in ms: what a station gave up on must not run much longer. */
const limits = { statement_timeout: 2_000, lock_timeout: 1_000, idle_in_transaction_session_timeout: 5_000 }

/** Sets the limits of a session. Not with the connection: poolers refuse settings that they don't know there. */
export async function limit(client: pg.Client): Promise<void> {
  await client.query(
    `SELECT ${Object.entries(limits)
      .map(([name, ms]) => `set_config('${name}', '${ms}', false)`)
      .join(', ')}`,
  )
}
