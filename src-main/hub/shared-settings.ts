import { isDeepStrictEqual } from 'node:util'
import type { Database, Statement } from 'better-sqlite3'
import { z } from 'zod'
import type { SettingOvertaken } from '../../src-shared/ipc/contract/hub'
import { singleFlight } from '../core/async'
import { iso } from '../core/clock'
import type { MainEvents } from '../core/events'
import type { Log } from '../core/log'
import { RowReader } from '../database/row-reader'
import type { HubSettings, StoreSetting } from './port'

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

const settingRows = new RowReader(
  z.object({ name: z.string(), revision: z.number(), change: z.number(), told: z.number() }),
)

/** Edits are noted by triggers of this connection alone. */
const triggersFor = (settingNames: readonly string[]) => {
  const names = settingNames.map((name) => `'${name}'`).join(', ')
  const noted = `INSERT INTO hub_word (name, change) VALUES (NEW.name, 1) ON CONFLICT (name) DO UPDATE SET change = change + 1;`
  return `
    CREATE TEMP TRIGGER hub_word_made AFTER INSERT ON setting WHEN NEW.name IN (${names}) BEGIN ${noted} END;
    CREATE TEMP TRIGGER hub_word_edited AFTER UPDATE ON setting
    WHEN NEW.name IN (${names}) AND NEW.value IS NOT OLD.value BEGIN ${noted} END;`
}

/**
 * Keeps settings the same at all stations. An edit counts by the revision that it was made at: the first of two edits of one
 * revision stays, and the other station is told. An edit made without the hub is told later by the same rule.
 */
export class SharedSettings<Name extends SettingOvertaken['name']> {
  readonly #parts: SharedSettingsParts<Name>
  readonly #select: Statement
  readonly #upsert: Statement
  readonly #exchanging: ReturnType<typeof singleFlight>

  constructor(parts: SharedSettingsParts<Name>) {
    const { db, settings, log } = parts
    this.#parts = parts
    db.exec(triggersFor(settings.map(({ name }) => name)))
    this.#select = db.prepare('SELECT * FROM hub_word WHERE name = ?')
    this.#upsert = db.prepare(`
      INSERT INTO hub_word (name, revision, change, told) VALUES (@name, @revision, @change, @change)
      ON CONFLICT (name) DO UPDATE SET revision = excluded.revision, told = @change`)
    this.#exchanging = singleFlight(
      () => this.#exchange(),
      (cause) => {
        log.error('the settings of the store could not be exchanged', { cause })
      },
    )
  }

  /** Tells what was edited here, and reads what others edited. Never rejects. */
  exchange(): void {
    this.#exchanging.ask()
  }

  stop(): Promise<void> {
    return this.#exchanging.stop()
  }

  async #exchange(): Promise<void> {
    const { settings, hubSettings } = this.#parts
    for (const { note } of settings) note?.()
    const all = await hubSettings.all()
    if (!all) return
    for (const setting of settings) {
      const there = all.find(({ name }) => name === setting.name)
      if (!(await this.#exchangeOne(setting, there))) return
    }
  }

  /** False if the hub doesn't answer. */
  async #exchangeOne(setting: SharedSetting<Name>, there: StoreSetting | undefined): Promise<boolean> {
    const { name } = setting
    const { hubSettings, events } = this.#parts
    const state = this.#stateOf(name)
    const value = setting.read()
    // The store's settings count for a station that joins.
    const isNewHere = state.revision === 0 && there !== undefined
    if (isNewHere || (there && there.revision !== state.revision && state.change === state.told)) {
      this.#apply(setting, there)
      return true
    }
    const isLost = there === undefined && value !== undefined
    if ((state.change === state.told && !isLost) || value === undefined) return true
    const counts = await hubSettings.put(name, value, there === undefined ? 0 : state.revision)
    if (!counts) return false
    // As it was sent: the hub keeps neither the order of fields nor those that are undefined.
    if (isDeepStrictEqual(counts.value, JSON.parse(JSON.stringify(value)))) {
      this.#upsert.run({ name, revision: counts.revision, change: state.change })
    } else if (this.#apply(setting, counts)) events.emit('hub.overtaken', { name, at: iso(Math.round(counts.at)) })
    return true
  }

  /** Uses what another station set. Its own trigger notes a change: that is none of this station. */
  #apply(setting: SharedSetting<Name>, { value, revision }: StoreSetting): boolean {
    const { name } = setting
    if (!setting.apply(value)) {
      this.#parts.log.warn('a setting of the store could not be read', { name })
      return false
    }
    this.#upsert.run({ name, revision, change: this.#stateOf(name).change })
    return true
  }

  #stateOf(name: string) {
    return settingRows.get(this.#select, name) ?? { name, revision: 0, change: 0, told: 0 }
  }
}
