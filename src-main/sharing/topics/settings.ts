import type { Database } from 'better-sqlite3'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { SettingOvertaken } from '../../../src-shared/ipc/contract/hub'
import { iso } from '../../core/clock'
import type { MainEvents } from '../../core/events'
import type { Log } from '../../core/log'
import type { Topic } from '../topic'
import { noteOf } from '../watch'

/** A setting that all stations of the store share. */
export interface SharedSetting {
  name: SettingOvertaken['name']
  /** As it counts here; undefined if it was never set. */
  read: () => unknown
  /** Uses a value of another station. */
  apply: (value: unknown) => 'used' | 'unreadable' | 'not-saved'
  /** Called before the settings are exchanged: for one that is kept elsewhere, and copied into the store. */
  note?: () => void
}

/** `edit`: how often the setting had been edited in the store, each time by a station that knew the edit before. */
const Setting = z.object({ value: z.unknown(), edit: z.number().int().nonnegative() })
type Setting = z.infer<typeof Setting>

const statementsOf = (db: Database) => ({
  edit: db
    .prepare(
      `SELECT coalesce((SELECT edit FROM shared_setting WHERE name = @name), 0)
        + EXISTS (SELECT 1 FROM dirty_key WHERE topic = 'settings' AND list = 0 AND key = @name AND is_others = 0)`,
    )
    .pluck(),
  agree: db.prepare(
    'INSERT INTO shared_setting (name, edit) VALUES (?, ?) ON CONFLICT DO UPDATE SET edit = excluded.edit',
  ),
  forget: db.prepare('DELETE FROM shared_setting'),
})

interface SettingsTopicContext {
  db: Database
  events: Pick<MainEvents, 'emit'>
  log: Pick<Log, 'warn'>
}

/**
 * Settings that all stations have alike. An edit has the number after the one that its station knew. Of two edits with one number
 * the first at the hub stays, and the other station is told: clocks of stations don't decide.
 */
export function settingsTopic(
  settings: readonly SharedSetting[],
  { db, events, log }: SettingsTopicContext,
): Topic<Setting> {
  const sql = statementsOf(db)
  const named = new Map<string, SharedSetting>(settings.map((setting) => [setting.name, setting]))
  const isShared = `NEW.name IN (${[...named.keys()].map((name) => `'${name}'`).join(', ')})`
  const note = noteOf('settings', { key: 'NEW.name' })
  return {
    name: 'settings',
    file: 'sharing/topics/settings.ts',
    body: Setting,
    watches: [
      { table: 'setting', on: 'INSERT', when: isShared, do: note },
      { table: 'setting', on: 'UPDATE', when: `${isShared} AND NEW.value IS NOT OLD.value`, do: note },
    ],
    dirtyAfter: ['checkout.settings', 'limits.changed', 'gates.changed', 'people.rules'],
    read(name) {
      const value = named.get(name)?.read()
      return value === undefined ? undefined : { value, edit: z.number().parse(sql.edit.get({ name })) }
    },
    keys: () => settings.flatMap(({ name, read }) => (read() === undefined ? [] : [name])),
    better: (mine, theirs) => (mine.edit === theirs.edit ? 'even' : mine.edit > theirs.edit ? 'mine' : 'theirs'),
    apply(changes, edited) {
      const used = new Set<string>()
      const overtaken: SettingOvertaken[] = []
      for (const { key, body, at } of changes) {
        const setting = named.get(key)
        // One of a newer version is that version's.
        if (!setting) continue
        const isSame = isDeepStrictEqual(setting.read(), body.value)
        const done = isSame ? 'used' : setting.apply(body.value)
        if (done === 'not-saved') return undefined
        if (done === 'unreadable') log.warn('a setting of the store could not be read', { name: setting.name })
        else {
          sql.agree.run(key, body.edit)
          used.add(key)
          if (edited.has(key) && !isSame) overtaken.push({ name: setting.name, at: iso(Math.round(at)) })
        }
      }
      for (const one of overtaken) events.emit('hub.overtaken', one)
      return used
    },
    prepare() {
      for (const { note } of settings) note?.()
    },
    joined: () => void sql.forget.run(),
  }
}
