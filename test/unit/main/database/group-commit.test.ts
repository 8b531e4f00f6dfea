import { beforeEach, describe, expect, it } from 'vitest'
import Sqlite from 'better-sqlite3'
import { createGroupCommit } from '../../../../src-main/database/group-commit'

describe('writes that are committed together', () => {
  let db: Sqlite.Database
  let commitInGroup: ReturnType<typeof createGroupCommit>
  const put = (value: number) => () => void db.prepare('INSERT INTO kept VALUES (?)').run(value)
  const kept = () => db.prepare('SELECT value FROM kept ORDER BY value').pluck().all()

  beforeEach(() => {
    db = new Sqlite(':memory:')
    db.exec('CREATE TABLE kept (value INTEGER PRIMARY KEY)')
    commitInGroup = createGroupCommit(db)
  })

  it('resolves each write of a turn after their one commit', async () => {
    const seen = await Promise.all(
      [1, 2, 3].map(async (value) => {
        await commitInGroup(put(value))
        return { isOver: !db.inTransaction, kept: kept() }
      }),
    )
    expect(seen).toEqual([1, 2, 3].map(() => ({ isOver: true, kept: [1, 2, 3] })))
  })

  it('writes nothing before the turn is over', async () => {
    const done = commitInGroup(put(1))
    await Promise.resolve()
    expect(kept()).toEqual([])
    await done
    expect(kept()).toEqual([1])
  })

  it('rejects only the write that failed, and makes the others', async () => {
    const outcomes = await Promise.allSettled([commitInGroup(put(1)), commitInGroup(put(1)), commitInGroup(put(2))])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(kept()).toEqual([1, 2])
  })

  it('gives what a write returned when it was committed', async () => {
    let runs = 0
    const counted = commitInGroup(() => ++runs)
    const failing = commitInGroup(() => {
      throw new Error('a bug')
    })
    await expect(failing).rejects.toThrow('a bug')
    // The first commit was undone, so the write ran again.
    expect(await counted).toBe(2)
  })

  it('rejects what waits when the database is closed', async () => {
    const done = commitInGroup(put(1))
    db.close()
    await expect(done).rejects.toThrow(/not open/)
  })
})
