import { isDeepStrictEqual } from 'node:util'
import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import type { SettingOvertaken } from '../../src-shared/ipc/contract/hub'
import { singleFlight } from '../core/async'
import { iso } from '../core/clock'
import type { MainEvents } from '../core/events'
import type { Log } from '../core/log'
import type { HubSettings } from './port'

/** A setting that all stations of the store share. `apply` uses a value of another station; false if it can't be read. */
export interface SharedSetting<Name extends SettingOvertaken['name']> {
  name: Name
  /** As it counts here; undefined if it was never set. */
  read: () => unknown
  apply: (value: unknown) => boolean
  /** Called before the settings are exchanged: for one that is kept elsewhere, and copied into the store. */
  note?: () => void
}

interface SharedSettingsParts<Name extends SettingOvertaken['name']> {
  db: Database
  events: Pick<MainEvents, 'emit'>
  hubSettings: HubSettings
  settings: readonly SharedSetting<Name>[]
  log: Log
}

const SharedSettingRow = z.object({ name: z.string(), revision: z.number(), change: z.number(), told: z.number() })
const named = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ')

/**
 * Keeps settings the same at all stations. An edit counts by the revision that it was made at: the first of two edits of one
 * revision stays, and the other station is told. An edit made without the hub is told later by the same rule.
 */
export function createSharedSettings<Name extends SettingOvertaken['name']>(parts: SharedSettingsParts<Name>) {
  const { db, hubSettings, settings, log, events } = parts
  const names = named(settings.map(({ name }) => name))
  const noted = `INSERT INTO hub_word (name, change) VALUES (NEW.name, 1) ON CONFLICT (name) DO UPDATE SET change = change + 1;`
  db.exec(`
    CREATE TEMP TRIGGER hub_word_made AFTER INSERT ON setting WHEN NEW.name IN (${names}) BEGIN ${noted} END;
    CREATE TEMP TRIGGER hub_word_edited AFTER UPDATE ON setting
    WHEN NEW.name IN (${names}) AND NEW.value IS NOT OLD.value BEGIN ${noted} END;`)
  const select = db.prepare('SELECT * FROM hub_word WHERE name = ?')
  const upsert = db.prepare(`
    INSERT INTO hub_word (name, revision, change, told) VALUES (@name, @revision, @change, @change)
    ON CONFLICT (name) DO UPDATE SET revision = excluded.revision, told = @change`)
  const stateOf = (name: string) =>
    SharedSettingRow.optional().parse(select.get(name)) ?? { name, revision: 0, change: 0, told: 0 }

  /** Uses what another station set. Its own trigger notes a change: that is none of this station. */
  const apply = (setting: SharedSetting<Name>, value: unknown, revision: number): boolean => {
    if (!setting.apply(value)) {
      log.warn('a setting of the store could not be read', { name: setting.name })
      return false
    }
    const { name } = setting
    upsert.run({ name, revision, change: stateOf(name).change })
    return true
  }

  const exchange = singleFlight(
    async () => {
      for (const { note } of settings) note?.()
      const all = await hubSettings.all()
      if (!all) return
      for (const setting of settings) {
        const { name } = setting
        const state = stateOf(name)
        const there = all.find((word) => word.name === name)
        const value = setting.read()
        // The store's settings count for a station that joins.
        const isNewHere = state.revision === 0 && there !== undefined
        if (isNewHere || (there && there.revision !== state.revision && state.change === state.told)) {
          apply(setting, there.value, there.revision)
          continue
        }
        const isLost = there === undefined && value !== undefined
        if ((state.change === state.told && !isLost) || value === undefined) continue
        const counts = await hubSettings.put(name, value, there === undefined ? 0 : state.revision)
        if (!counts) return
        // As it was sent: the hub keeps neither the order of fields nor those that are undefined.
        if (isDeepStrictEqual(counts.value, JSON.parse(JSON.stringify(value)))) {
          upsert.run({ name, revision: counts.revision, change: state.change })
        } else if (apply(setting, counts.value, counts.revision))
          events.emit('hub.overtaken', { name, at: iso(Math.round(counts.at)) })
      }
    },
    (cause) => {
      log.error('the settings of the store could not be exchanged', { cause })
    },
  )
  return {
    /** Tells what was edited here, and reads what others edited. Never rejects. */
    exchange: () => {
      exchange.ask()
    },
    stop: () => exchange.stop(),
  }
}
