import type { Database } from 'better-sqlite3'
import { z } from 'zod'
import { knownNameOf } from '../../../src-shared/names'
import { PersonId, Role, ShortName, longestPersonName } from '../../../src-shared/people'
import type { MainEvents } from '../../core/events'
import type { Log } from '../../core/log'
import { parseStored } from '../../database/settings'
import { PersonSecret, type PersonRow, personRows } from '../../people/people'
import type { Seal } from '../../privacy/seal'
import type { Topic } from '../topic'
import { noteOf } from '../watch'

/**
 * `secret` is sealed with the store's key. `edit`: how often the person had been edited, each time knowing the edit before.
 * `restored`: how often they had been brought back.
 */
const SharedPerson = z.object({
  ...{ name: knownNameOf(longestPersonName), shortName: ShortName, role: Role },
  ...{ secret: z.string().max(1_000), edit: z.number().int().nonnegative() },
  ...{ restored: z.number().int().nonnegative(), isRemoved: z.boolean() },
})
type SharedPerson = z.infer<typeof SharedPerson>

type SyncSeal = Pick<Seal, 'seal' | 'open'>

interface PeopleTopicContext {
  db: Database
  events: Pick<MainEvents, 'emit'>
  log: Pick<Log, 'warn'>
  /** This station's own. */
  seal: SyncSeal
  /** The store's; undefined until its key is known. */
  storeSeal: () => SyncSeal | undefined
}

const statementsOf = (db: Database) => ({
  one: db.prepare('SELECT * FROM person WHERE id = ?'),
  keys: db.prepare('SELECT id FROM person').pluck(),
  put: db.prepare(`
    INSERT OR REPLACE INTO person (id, name, short_name, role, secret, edit, restored, removed_at)
    VALUES (@id, @name, @shortName, @role, @secret, @edit, @restored, @removedAt)`),
  forget: db.prepare('UPDATE person SET edit = 0, restored = 0'),
})

function better(mine: SharedPerson, theirs: SharedPerson): ReturnType<Topic<SharedPerson>['better']> {
  if (mine.restored !== theirs.restored) return mine.restored > theirs.restored ? 'mine' : 'theirs'
  if (mine.isRemoved !== theirs.isRemoved) return mine.isRemoved ? 'mine' : 'theirs'
  if (mine.edit === theirs.edit) return 'even'
  return mine.edit > theirs.edit ? 'mine' : 'theirs'
}

/** A text under another seal; undefined if it can't be opened, or holds something else. */
function resealed(secret: string, from: SyncSeal, to: SyncSeal): string | undefined {
  const text = from.open(secret)
  return text === undefined || parseStored(PersonSecret, text) === undefined ? undefined : to.seal(text)
}

/**
 * The people of the store. An edit has the number after the one that its station knew; of two with one number the first at the
 * hub stays. A removal is lost to no other edit, whatever its number: only bringing the person back, which knows of it, counts more.
 */
export function peopleTopic({ db, events, log, seal, storeSeal }: PeopleTopicContext): Topic<SharedPerson> {
  const sql = statementsOf(db)
  const putAll = db.transaction((rows: PersonRow[]) => {
    for (const row of rows) sql.put.run(row)
  })
  const rowOf = (key: string) => personRows.readable(sql.one, key).rows[0]
  const note = noteOf('people', { key: 'NEW.id' })
  return {
    name: 'people',
    file: 'sharing/topics/people.ts',
    body: SharedPerson,
    watches: [
      { table: 'person', on: 'INSERT', do: note },
      { table: 'person', on: 'UPDATE OF name, short_name, role, secret, removed_at', do: note },
    ],
    dirtyAfter: ['people.changed'],
    read(key) {
      const row = rowOf(key)
      const store = storeSeal()
      const secret = row && store && resealed(row.secret, seal, store)
      if (!row || secret === undefined) return undefined
      const { name, shortName, role, edit, restored, removedAt } = row
      return { name, shortName, role, secret, edit, restored, isRemoved: removedAt !== null }
    },
    keys: () => z.array(z.string()).parse(sql.keys.all()),
    better,
    apply(changes) {
      const store = storeSeal()
      if (!store) return undefined
      const used = new Set<string>()
      const rows: PersonRow[] = []
      for (const { key, body, at } of changes) {
        const { isRemoved, ...fields } = body
        const [id, secret] = [PersonId.safeParse(key).data, resealed(body.secret, store, seal)]
        if (id === undefined || secret === undefined) {
          log.warn('a person of the store could not be read')
          continue
        }
        rows.push({ ...fields, id, secret, removedAt: isRemoved ? Math.round(at) : null })
        used.add(key)
      }
      putAll.immediate(rows)
      events.emit('people.elsewhere', null)
      return used
    },
    joined: () => void sql.forget.run(),
  }
}
