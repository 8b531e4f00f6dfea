import type { Database } from 'better-sqlite3'

/** What the stations of a store share, each thing by a key of its own. */
export type SharedTopic =
  'claims' | 'held' | 'settings' | 'pos' | 'people' | 'counts' | 'shelf' | 'deliveries' | 'imports' | 'day'

/** The topics whose things are records of the log; see `HubLog`. */
export const logTopics = ['settings', 'pos', 'people'] as const satisfies SharedTopic[]
export type LogTopic = (typeof logTopics)[number]

/** The setting with the hub whose records of a topic were read last. */
export const hubSetting = (topic: LogTopic): string => `hub.log.${topic}`

/** A change of a table, and what it makes of the tables of sharing, in the commit that changes it. */
export interface Watch {
  table: string
  on: 'INSERT' | 'DELETE' | 'UPDATE' | `UPDATE OF ${string}`
  /** SQL about the rows NEW and OLD. */
  when?: string
  /** A statement about NEW and OLD, as those below. */
  do: string
}

/** SQL expressions: the key, the list that it is in (its seq; none by default), and whether another station had entered it. */
interface Noted {
  key: string
  list?: string
  isOthers?: string
  /** Where several keys come from: what follows FROM. */
  from?: string
}

/**
 * Notes that the hub may lack something of a key. Each note has a random number, also of a key that was settled meanwhile: an
 * answer about an older one settles none.
 */
export function noteOf(
  topic: SharedTopic,
  { key, list = '0', isOthers = '0', from = '(SELECT 1) WHERE true' }: Noted,
): string {
  return `INSERT INTO dirty_key (topic, list, key, change, is_others)
    SELECT '${topic}', ${list}, ${key}, random() >> 11, ${isOthers} FROM ${from}
    ON CONFLICT (topic, list, key) DO UPDATE SET change = excluded.change, is_others = excluded.is_others`
}

/** The condition that a list is shared. `list`: its seq, in SQL. */
export const isSharedList = (topic: SharedTopic, list: string): string =>
  `EXISTS (SELECT 1 FROM shared_list WHERE topic = '${topic}' AND list = ${list})`

/** Triggers of this connection alone: a station without a hub has none. A connection that is used again has them already. */
export function watch(db: Database, topic: SharedTopic, watches: readonly Watch[]): void {
  for (const [index, { table, on, when, do: statement }] of watches.entries())
    db.exec(`CREATE TEMP TRIGGER IF NOT EXISTS shared_${topic}_${index} AFTER ${on} ON ${table}
      ${when === undefined ? '' : `WHEN ${when}`} BEGIN ${statement}; END`)
}
