import { z } from 'zod'
import type { SettingOvertaken } from '../../../src-shared/ipc/contract/hub'
import { iso } from '../../core/clock'
import type { MainEvents } from '../../core/events'
import type { Log } from '../../core/log'
import type { Topic } from '../topic'
import { noteOf } from '../watch'

/** A setting that all stations of the store share. `apply` uses a value of another station; false if it can't be read. */
export interface SharedSetting {
  name: SettingOvertaken['name']
  /** As it counts here; undefined if it was never set. */
  read: () => unknown
  apply: (value: unknown) => boolean
  /** Called before the settings are exchanged: for one that is kept elsewhere, and copied into the store. */
  note?: () => void
}

/**
 * Settings that all stations have alike. Of two edits the first one at the hub stays, and the other station is told: clocks of
 * stations don't decide.
 */
export function settingsTopic(
  settings: readonly SharedSetting[],
  { events, log }: { events: Pick<MainEvents, 'emit'>; log: Pick<Log, 'warn'> },
): Topic<unknown> {
  const named = new Map<string, SharedSetting>(settings.map((setting) => [setting.name, setting]))
  const isShared = `NEW.name IN (${[...named.keys()].map((name) => `'${name}'`).join(', ')})`
  const note = noteOf('settings', { key: 'NEW.name' })
  return {
    name: 'settings',
    file: 'sharing/topics/settings.ts',
    body: z.unknown(),
    watches: [
      { table: 'setting', on: 'INSERT', when: isShared, do: note },
      { table: 'setting', on: 'UPDATE', when: `${isShared} AND NEW.value IS NOT OLD.value`, do: note },
    ],
    dirtyAfter: ['checkout.settings', 'limits.changed', 'gates.changed'],
    canBeGone: false,
    read: (name) => named.get(name)?.read(),
    keys: () => settings.flatMap(({ name, read }) => (read() === undefined ? [] : [name])),
    better: () => 'theirs',
    apply(changes, edited) {
      for (const { key, body, at } of changes) {
        const setting = named.get(key)
        // A setting is never gone, and one of a newer version is that version's.
        if (!setting || body === null) continue
        if (!setting.apply(body)) log.warn('a setting of the store could not be read', { name: setting.name })
        else if (edited.has(key)) events.emit('hub.overtaken', { name: setting.name, at: iso(Math.round(at)) })
      }
    },
    prepare() {
      for (const { note } of settings) note?.()
    },
  }
}
