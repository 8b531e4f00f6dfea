import { scryptSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { PeopleRules } from '../../../../src-shared/people'
import type { Database } from 'better-sqlite3'
import { hand, inHandOf } from '../../../../src-main/core/hand'
import { silentLog } from '../../../../src-main/core/log'
import { SignIn, awayAfter } from '../../../../src-main/people/sign-in'
import { storePeople, valueOf } from './store-people'

const minute = 60_000

/** With few scrypt rounds, so that repeated tries are fast. */
function cheapPin(pin: string) {
  const [cost, salt] = [2 ** 8, Buffer.alloc(16, 7)]
  return { salt: salt.toString('base64'), hash: scryptSync(pin, salt, 32, { N: cost }).toString('base64'), cost }
}

/** A station where Ana (manager, 2468), Ben (clerk, 1357) and Lea (lead, 1234) may sign in. `db`: of an earlier process. */
function station({ db, rules = {} }: { db?: Database; rules?: Partial<PeopleRules> } = {}) {
  const store = storePeople(db)
  const { people, add } = store
  if (!db) {
    for (const [name, shortName, role, pin] of [
      ['Ana', 'AN', 'manager', '2468'],
      ['Ben', 'BE', 'clerk', '1357'],
      ['Lea', 'LE', 'lead', '1234'],
    ] as const)
      valueOf(people.setPin(add(name, shortName, role), cheapPin(pin)))
  }
  let steady = 0
  const signIn = new SignIn({
    ...store,
    log: silentLog,
    rules: () => PeopleRules.parse(rules),
    steady: () => steady,
  })
  const told: (string | null)[] = []
  store.events.on('people.signed-in', 'test', ({ person }) => told.push(person?.name ?? null))
  const idOf = (shortName: string) => people.byShortName(shortName)[0]?.id ?? ''
  return {
    ...{ ...store, signIn, told, idOf },
    pass: (ms: number) => (steady += ms),
    now: () => signIn.current()?.shortName ?? null,
    enter: (shortName: string, pin: string) => signIn.by({ shortName, pin }),
  }
}

describe('signing in', () => {
  it('takes a short name and its PIN, switches at once, and each leaves a line with their own name', async () => {
    const { signIn, enter, now, told, db, idOf } = station()
    valueOf(await enter('BE', '1357'))
    expect(now()).toBe('BE')
    valueOf(await enter('AN', '2468'))
    valueOf(await enter('AN', '2468'))
    signIn.out()
    signIn.out()
    expect([now(), told]).toEqual([null, ['Ben', 'Ana', 'Ana', null]])
    const lines = db.prepare(`SELECT what, subject, person, name FROM journal WHERE what LIKE 'signed%' ORDER BY entry`)
    expect(lines.raw().all()).toEqual([
      ['signed-in', idOf('BE'), idOf('BE'), 'Ben'],
      ['signed-in', idOf('AN'), idOf('AN'), 'Ana'],
      ['signed-out', idOf('AN'), idOf('AN'), 'Ana'],
    ])
  })

  it('lets a person change their own PIN by the one before, with a line in their name', async () => {
    const { signIn, enter, now, db, idOf, pass } = station()
    valueOf(await enter('AN', '2468'))
    const wrong = await signIn.changePin({ shortName: 'BE', pin: '2468' }, cheapPin('8642'))
    expect(wrong).toMatchObject({ error: { code: 'people/wrong-pin' } })
    pass(1_000)
    valueOf(await signIn.changePin({ shortName: 'LE', pin: '1234' }, cheapPin('8642')))
    expect(now()).toBe('AN')
    const line = db.prepare('SELECT what, subject, name FROM journal ORDER BY entry DESC LIMIT 1').raw().get()
    expect(line).toEqual(['pin-set', idOf('LE'), 'Lea'])
    expect(await enter('LE', '1234')).toMatchObject({ error: { code: 'people/wrong-pin' } })
    pass(1_000)
    valueOf(await enter('LE', '8642'))
  })

  it('takes a badge by the proof of its scan: once, within a minute, and the last one only', async () => {
    const { signIn, now, idOf, pass } = station()
    const [first, proof] = [signIn.proofOf(idOf('BE')), signIn.proofOf(idOf('AN'))]
    expect(await signIn.by({ proof: first })).toMatchObject({ error: { code: 'people/no-badge' } })
    valueOf(await signIn.by({ proof }))
    expect(now()).toBe('AN')
    expect(await signIn.by({ proof })).toMatchObject({ error: { code: 'people/no-badge' } })
    const late = signIn.proofOf(idOf('BE'))
    pass(minute)
    expect(await signIn.by({ proof: late })).toMatchObject({ error: { code: 'people/no-badge' } })
  })

  it('ends after five minutes without a step, and at the counter only if the store wishes', async () => {
    const { signIn, enter, now, pass, told } = station({ rules: { staysAtCounter: true } })
    valueOf(await enter('BE', '1357'))
    pass(5 * minute - 1)
    expect(now()).toBe('BE')
    signIn.stepped()
    pass(5 * minute - 1)
    signIn.setPlace('checkout')
    pass(60 * minute)
    expect([now(), signIn.isHere()]).toEqual(['BE', false])
    signIn.setPlace('receiving')
    pass(5 * minute - 1)
    expect(now()).toBe('BE')
    pass(1)
    expect([now(), signIn.signer(), told.at(-1)]).toEqual([null, null, null])
    expect([
      awayAfter(PeopleRules.parse({}), 'checkout'),
      awayAfter(PeopleRules.parse({ minutes: 1 }), 'other'),
    ]).toEqual([5 * minute, minute])
  })

  it('ends at the same time when the clock is set back, and the journal stays whole', async () => {
    const { enter, now, pass, clock, journal, signIn, idOf } = station()
    valueOf(await enter('BE', '1357'))
    const proof = signIn.proofOf(idOf('AN'))
    clock.advance(-400 * 24 * 60 * minute)
    pass(5 * minute - 1)
    expect(now()).toBe('BE')
    pass(1)
    expect(now()).toBeNull()
    expect(await signIn.by({ proof })).toMatchObject({ error: { code: 'people/no-badge' } })
    valueOf(await enter('BE', '1357'))
    expect((await journal.verify()).faults).toEqual([])
  })

  it('ends when the person is removed, here or at another station', async () => {
    const { enter, now, people, idOf, told, db, events } = station()
    valueOf(await enter('BE', '1357'))
    const ben = people.byId(idOf('BE'))
    if (ben) valueOf(people.remove(ben.id))
    expect([now(), told]).toEqual([null, ['Ben', null]])
    valueOf(await enter('LE', '1234'))
    db.prepare('UPDATE person SET removed_at = 1 WHERE id = ?').run(idOf('LE'))
    events.emit('people.elsewhere', null)
    expect([now(), told.at(-1)]).toEqual([null, null])
  })
})

describe('wrong PINs', () => {
  it('are counted for the person, with growing waits that outlast a restart and another person’s success', async () => {
    const { enter, pass, db } = station()
    for (let n = 0; n < 2; n++) {
      expect(await enter('AN', '0000')).toEqual({ ok: false, error: { code: 'people/wrong-pin', waitMs: 0 } })
      pass(500)
      valueOf(await enter('BE', '1357'))
      pass(500)
    }
    expect(await enter('AN', '0000')).toMatchObject({ error: { waitMs: 5_000 } })
    // Also the right one, until the wait is over; others aren't kept waiting.
    pass(500)
    expect(await enter('AN', '2468')).toMatchObject({ error: { code: 'people/wrong-pin', waitMs: 4_500 } })
    valueOf(await enter('BE', '1357'))
    const next = station({ db })
    expect(await next.enter('AN', '2468')).toMatchObject({ error: { waitMs: 5_000 } })
    next.pass(5_000)
    expect(await next.enter('AN', '0000')).toMatchObject({ error: { waitMs: 10_000 } })
    next.pass(10_000)
    valueOf(await next.enter('AN', '2468'))
    next.pass(500)
    expect(await next.enter('AN', '0000')).toMatchObject({ error: { waitMs: 0 } })
  })

  it('are counted for the station, whatever names they are for', async () => {
    const { enter, pass } = station()
    for (let n = 0; n < 9; n++) {
      expect(await enter(`X${n}`, '0000')).toMatchObject({ error: { waitMs: 0 } })
      pass(500)
    }
    expect(await enter('XX', '0000')).toMatchObject({ error: { waitMs: 5_000 } })
    expect(await enter('BE', '1357')).toMatchObject({ error: { waitMs: 5_000 } })
  })

  it('of simultaneous tries count as one', async () => {
    const { enter } = station()
    const tries = await Promise.all(['0000', '1111', '2468'].map((pin) => enter('AN', pin)))
    expect(tries.map((one) => one.ok)).toEqual([false, false, false])
    expect(tries[2]).toMatchObject({ error: { code: 'people/wrong-pin', waitMs: 500 } })
  })

  it('leave a line that says whose PIN was tried, and never the PIN', async () => {
    const { enter, db, idOf } = station()
    await enter('AN', '9999')
    expect(db.prepare(`SELECT subject, detail FROM journal WHERE what = 'wrong-pin'`).raw().all()).toEqual([
      [idOf('AN'), null],
    ])
    expect(JSON.stringify(db.prepare('SELECT * FROM setting').all())).not.toContain('9999')
  })
})

describe('an approval', () => {
  it('is a lead’s, whose name stands beside that of the clerk, who stays signed in', async () => {
    const { signIn, enter, now, idOf, pass } = station()
    valueOf(await enter('BE', '1357'))
    pass(500)
    await inHandOf(signIn.signer(), async () => {
      expect(await signIn.approve({ shortName: 'BE', pin: '1357' })).toEqual({
        code: 'people/not-permitted',
        needs: 'approve',
      })
      expect(hand().approver).toBeNull()
      expect(await signIn.approve({ proof: signIn.proofOf(idOf('LE')) })).toBeUndefined()
      expect(hand()).toEqual({
        person: { id: idOf('BE'), name: 'Ben' },
        approver: { id: idOf('LE'), name: 'Lea' },
      })
    })
    expect(now()).toBe('BE')
  })
})

describe('what needs a role', () => {
  it('is done by anyone where names are only noted, and where there are no people', () => {
    const names = station()
    expect(names.signIn.objection('sell')).toBeUndefined()
    const empty = new SignIn({
      ...storePeople(),
      log: silentLog,
      rules: () => PeopleRules.parse({ demand: 'required' }),
      steady: () => 0,
    })
    expect(empty.objection('sell')).toBeUndefined()
  })

  it('wants a name and the role where the store demands it', async () => {
    const { signIn, enter } = station({ rules: { demand: 'required' } })
    expect(signIn.objection('receive')).toEqual({ code: 'people/who' })
    valueOf(await enter('BE', '1357'))
    expect([signIn.objection('receive'), signIn.objection('sell')]).toEqual([
      undefined,
      { code: 'people/not-permitted', needs: 'sell' },
    ])
  })
})
