import type { Database } from 'better-sqlite3'
import { type PersonForm, PersonId, type Role } from '../../../../src-shared/people'
import type { AppError } from '../../../../src-shared/errors'
import type { Result } from '../../../../src-shared/result'
import { silentLog } from '../../../../src-main/core/log'
import { schemaVersion } from '../../../../src-main/database/migrations'
import { emptyDatabase } from '../../../../src-main/database/schema'
import { createSettings } from '../../../../src-main/database/settings'
import { Journal } from '../../../../src-main/outbox/journal'
import { People } from '../../../../src-main/people/people'
import { type Seal, createSeal } from '../../../../src-main/privacy/seal'
import { handClock } from '../../../fakes/clock'
import { eventsOf } from '../../../fakes/events'

export const valueOf = <T>(result: Result<T, AppError>): T => {
  if (!result.ok) throw new Error(result.error.code)
  return result.value
}

export const form = (name: string, shortName: string, role: Role = 'clerk'): PersonForm => ({ name, shortName, role })
export const noId = PersonId.parse('00000000-0000-4000-8000-000000000000')

/** The people of a station, over a real database. */
export function storePeople(
  db: Database = emptyDatabase(schemaVersion),
  { seal = createSeal([Buffer.alloc(32, 7)]), roles = new Map() }: { seal?: Seal; roles?: Map<string, Role> } = {},
) {
  const clock = handClock()
  const events = eventsOf(db)
  const journal = new Journal(db, () => clock.now())
  const settings = createSettings(db, silentLog)
  const people = new People({
    ...{ db, clock, events, journal, seal, roles, log: silentLog },
    isOtherCode: (code) => code === 'ORDER-1',
  })
  const add = (name: string, shortName: string, role: Role = 'clerk') =>
    valueOf(people.save(null, form(name, shortName, role))).id
  const acts = () =>
    db.prepare('SELECT what, subject FROM journal WHERE operation_seq IS NULL ORDER BY entry').raw().all()
  return { db, clock, events, journal, settings, seal, people, add, acts }
}
