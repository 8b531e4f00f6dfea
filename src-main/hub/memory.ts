import { randomUUID } from 'node:crypto'
import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { Settings } from '../database/settings'
import { hubSetting, logTopics } from '../sharing/watch'
import type { HubMemory, RememberedStation } from './port'

/** The hub when it was compared last. `upTo`: this station's newest report then, in ms since 1970 by the service's clock. */
export const ComparedHub = z.object({ hubId: z.string(), newest: z.number(), upTo: z.number().default(0) })
export const seenSetting = 'hub.seen'

const storeSetting = 'hub.store'
const stationsSetting = 'hub.stations'
const Stations = z.array(z.object({ id: z.uuid(), name: z.string() }))
const sessionsSetting = 'hub.sessions'
const begunSetting = 'hub.begun'
const identitySetting = 'hub.identity'
/** `from`: reports up to this number were made under another identity, before this computer got its own. */
const Identity = z.object({ id: z.string(), from: z.number() })

/** So many starts are remembered: a hub that is restored has one of the past. */
const mostSessions = 500

type SettingsPart = Pick<Settings, 'read' | 'write'>

/** Reports up to this number aren't told as this station's: another station made them, and this data is a copy of its. */
export const ownFrom = (settings: Pick<Settings, 'read'>): number => settings.read(identitySetting, Identity)?.from ?? 0

/** Keeps the stations that the hub named last, without writing what is the same. */
export function rememberStations(settings: SettingsPart, stations: RememberedStation[]): void {
  if (JSON.stringify(settings.read(stationsSetting, Stations)) !== JSON.stringify(stations))
    settings.write(stationsSetting, stations)
}

/**
 * A hub that was made anew or restored, or that of another store, counts its revisions anew. Claims and notices of the hub before
 * become older than every grant of this one.
 */
const voidRevisions = (db: Database) =>
  db.exec(`
    UPDATE hub_claim SET revision = 0 WHERE revision > 0;
    UPDATE hub_claim SET held_by = json_set(held_by, '$.revision', 0) WHERE CASE WHEN json_valid(held_by) THEN held_by ->> '$.revision' > 0 END;
    UPDATE OR REPLACE hub_notice SET revision = -revision WHERE revision > 0`)

/** A station that left its store remembers nothing of it. */
export function forgetHub(db: Database, settings: SettingsPart): void {
  voidRevisions(db)
  if (settings.read(seenSetting, ComparedHub) !== undefined) settings.write(seenSetting, null)
  if (settings.read(stationsSetting, Stations) !== undefined) settings.write(stationsSetting, null)
  if (settings.read(storeSetting, z.string()) !== undefined) settings.write(storeSetting, null)
  for (const name of logTopics.map(hubSetting))
    if (settings.read(name, z.string()) !== undefined) settings.write(name, null)
}

/**
 * What a station remembers of its hub. Each start is a session of its own: its id is saved before the hub has it, so that a copy
 * of this data, or an older one, is told from its continuation. `station`: this one, and the identity of its store: what was seen
 * of another store's hub doesn't count at this one.
 */
export function createHubMemory(
  db: Database,
  settings: SettingsPart,
  { storeId, ...station }: RememberedStation & { storeId?: string | undefined },
): HubMemory {
  const before = settings.read(identitySetting, Identity)
  const id = randomUUID()
  const sessions = [id, ...(settings.read(sessionsSetting, z.array(z.string())) ?? [])].slice(0, mostSessions)
  db.transaction(() => {
    settings.write(sessionsSetting, sessions)
    const store = settings.read(storeSetting, z.string())
    if (storeId !== undefined && store !== storeId) {
      if (store !== undefined) forgetHub(db, settings)
      settings.write(storeSetting, storeId)
    }
    if (before?.id === station.id) return
    const newest = before ? db.prepare('SELECT coalesce(max(seq), 0) FROM operation').pluck().get() : 0
    settings.write(identitySetting, { id: station.id, from: z.number().parse(newest) })
    if (!before) return
    // The claims are the other station's. It has the unsent reports too, and the service may have taken them from there.
    db.exec(`DELETE FROM hub_claim; DELETE FROM dirty_key WHERE topic IN ('claims', 'day');
      UPDATE operation SET uncertain = 1 WHERE state IN ('queued', 'sending', 'unknown')`)
  }).immediate()
  return {
    lastSeen() {
      const seen = settings.read(seenSetting, ComparedHub)
      if (!seen) return undefined
      const others = (settings.read(stationsSetting, Stations) ?? []).filter((one) => one.id !== station.id)
      return { ...seen, stations: [station, ...others] }
    },
    lost: () => void db.transaction(voidRevisions).immediate(db),
    sessions: () => sessions,
    lastBegun: () => settings.read(begunSetting, z.string()),
    sessionBegun() {
      if (settings.read(begunSetting, z.string()) !== id) settings.write(begunSetting, id)
    },
  }
}
