import { describe, expect, it } from 'vitest'
import { may } from '../../../../src-shared/people'
import { hashPin } from '../../../../src-main/security/pin'
import { badgeHash, losesManager, newBadge, type Person } from '../../../../src-main/people/people'
import { isPrintedBadge } from '../../../../src-shared/people'
import { err } from '../../../../src-shared/result'
import { classify } from '../../../../src-shared/scan/classify'
import { type Seal, createSeal } from '../../../../src-main/privacy/seal'
import { form, noId, storePeople, valueOf } from './store-people'

const refusal = (code: string) => ({ ok: false, error: { code } })

describe('the people of a store', () => {
  it('are added, changed, removed and brought back, each with a line in the journal', () => {
    const { people, add, acts } = storePeople()
    const id = add('Ana Núñez', 'AN', 'manager')
    const ben = add('Ben', 'BE')
    valueOf(people.save(ben, form('Benjamin', 'BJ', 'lead')))
    valueOf(people.remove(ben))
    expect(people.view()).toEqual([
      { id, name: 'Ana Núñez', shortName: 'AN', role: 'manager', hasPin: false, hasBadge: false, isRoleFixed: false },
    ])
    expect(people.byShortName('BJ')).toEqual([])
    valueOf(people.restore(ben))
    expect(people.view().map(({ name, role }) => [name, role])).toEqual([
      ['Ana Núñez', 'manager'],
      ['Benjamin', 'lead'],
    ])
    expect(acts()).toEqual([
      ['person-added', id],
      ['person-added', ben],
      ['person-changed', ben],
      ['person-removed', ben],
      ['person-restored', ben],
    ])
  })

  it('tells pages of each change, and of what another station changed', () => {
    const { people, add, events, db } = storePeople()
    const told: string[][] = []
    events.on('people.changed', 'test', (all) => told.push(all.map(({ name }) => name)))
    const id = add('Ana', 'AN')
    db.prepare(`UPDATE person SET name = 'Anna' WHERE id = ?`).run(id)
    expect(people.byId(id)?.name).toBe('Ana')
    events.emit('people.elsewhere', null)
    expect(told).toEqual([['Ana'], ['Anna']])
  })

  it('have one short name each, also when one is brought back', () => {
    const { people, add } = storePeople()
    const id = add('Ana', 'AN')
    expect(people.save(null, form('Andy', 'AN'))).toMatchObject(refusal('people/short-name-taken'))
    valueOf(people.save(id, form('Anna', 'AN')))
    valueOf(people.remove(id))
    add('Andy', 'AN')
    expect(people.restore(id)).toMatchObject(refusal('people/short-name-taken'))
  })

  it('keep their last manager, unless no one else is left', () => {
    const { people, add } = storePeople()
    const ana = add('Ana', 'AN', 'manager')
    const ben = add('Ben', 'BE')
    for (const done of [people.remove(ana), people.save(ana, form('Ana', 'AN', 'lead'))])
      expect(done).toMatchObject(refusal('people/last-manager'))
    valueOf(people.save(ben, form('Ben', 'BE', 'manager')))
    valueOf(people.remove(ana))
    valueOf(people.remove(ben))
    expect(people.active()).toEqual([])
  })

  it('are not found once they are removed', () => {
    const { people, add } = storePeople()
    const id = add('Ana', 'AN')
    valueOf(people.remove(id))
    const steps = [
      people.remove(id),
      people.save(id, form('A', 'AA')),
      people.setPin(id, null),
      people.setBadge(noId, 'BADGE-1'),
    ]
    for (const step of steps) expect(step).toMatchObject(refusal('people/not-found'))
  })

  it('have a badge of their own, which no other person gets and which means nothing else', () => {
    const { people, add, db } = storePeople()
    const [ana, ben] = [add('Ana', 'AN', 'manager'), add('Ben', 'BE')]
    expect(people.setBadge(ana, 'ORDER-1')).toMatchObject(refusal('people/badge-is-code'))
    expect(valueOf(people.setBadge(ana, 'Card-77')).hasBadge).toBe(true)
    expect(people.setBadge(ben, ' card-77 ')).toMatchObject(refusal('people/badge-taken'))
    expect([people.byBadge('CARD-77')?.id, people.byBadge('CARD-78')]).toEqual([ana, undefined])
    valueOf(people.setBadge(ben, 'CARD-78'))
    valueOf(people.remove(ben))
    expect(people.byBadge('CARD-78')).toBeUndefined()
    expect(people.setBadge(ana, 'CARD-78')).toMatchObject(refusal('people/badge-taken'))
    // Neither the badge nor its hash is on the disk in plain words.
    const kept = JSON.stringify(db.prepare('SELECT * FROM person').all())
    for (const plain of ['CARD-77', badgeHash('CARD-77'), 'badge']) expect(kept).not.toContain(plain)
  })

  it('are no one by a badge that two stations gave to two people', () => {
    const { people, add, db, events } = storePeople()
    const [ana, ben] = [add('Ana', 'AN', 'manager'), add('Ben', 'BE')]
    valueOf(people.setBadge(ana, 'CARD-1'))
    db.prepare('UPDATE person SET secret = (SELECT secret FROM person WHERE id = ?) WHERE id = ?').run(ana, ben)
    events.emit('people.elsewhere', null)
    expect(people.byBadge('CARD-1')).toBeUndefined()
  })

  it('keep their PIN and badge while the keychain can’t open them, whatever else is changed', async () => {
    const { people, add, db, seal } = storePeople()
    const id = add('Ana', 'AN', 'manager')
    valueOf(people.setPin(id, await hashPin('2468')))
    const locked = storePeople(db, { seal: createSeal([Buffer.alloc(32, 8)]) })
    valueOf(locked.people.save(id, form('Anna', 'AN', 'manager')))
    const again = storePeople(db, { seal })
    expect(again.people.byId(id)).toMatchObject({ name: 'Anna', secret: { badge: null } })
    expect(again.people.byId(id)?.secret?.pin).not.toBeNull()
  })

  it('get no PIN and no badge while the keychain hides another secret of theirs, or a badge that may be the same', async () => {
    const { people, add, db, seal } = storePeople()
    const [ana, ben] = [add('Ana', 'AN', 'manager'), add('Ben', 'BE')]
    valueOf(people.setBadge(ana, 'CARD-1'))
    let isLocked = true
    const hidden = createSeal([Buffer.alloc(32, 8)])
    const hiding: Seal = {
      ...seal,
      open: (text) => (isLocked ? hidden.open(text) : seal.open(text)),
      reveal: (text) => (isLocked ? Promise.resolve(err({ code: 'keychain/locked' })) : seal.reveal(text)),
    }
    const { people: locked } = storePeople(db, { seal: hiding })
    expect(await locked.openSecrets()).toEqual(refusal('keychain/locked'))
    const pin = await hashPin('2468')
    for (const done of [locked.setPin(ana, pin), locked.setBadge(ana, null), locked.setBadge(ben, 'CARD-1')])
      expect(done).toEqual(refusal('keychain/locked'))
    isLocked = false
    valueOf(await locked.openSecrets())
    valueOf(locked.setPin(ana, pin))
    expect(storePeople(db).people.view()).toMatchObject([{ hasPin: true, hasBadge: true }, { hasBadge: false }])
    expect(locked.setBadge(ben, 'CARD-1')).toEqual(refusal('people/badge-taken'))
  })

  it('get a new PIN once the key of the old one is lost for good', async () => {
    const { people, add, db } = storePeople()
    const id = add('Ana', 'AN', 'manager')
    valueOf(people.setBadge(id, 'CARD-1'))
    const { people: later } = storePeople(db, { seal: createSeal([Buffer.alloc(32, 8)]) })
    valueOf(await later.openSecrets())
    valueOf(later.setPin(id, await hashPin('2468')))
    expect(later.view()).toMatchObject([{ hasPin: true, hasBadge: false }])
  })

  it('have the role that IT’s policy says', () => {
    const { people, add } = storePeople(undefined, { roles: new Map([['AN', 'manager']]) })
    expect(people.save(null, form('Ana', 'AN'))).toMatchObject(refusal('policy/fixed'))
    const id = add('Ana', 'AN', 'manager')
    expect(people.byId(id)).toMatchObject({ role: 'manager', isRoleFixed: true })
  })
})

describe('a new badge', () => {
  it('is like no other code, in any case', () => {
    const badges = Array.from({ length: 200 }, newBadge)
    expect(new Set(badges).size).toBe(200)
    for (const text of badges.flatMap((badge) => [badge, badge.toLowerCase()])) {
      expect(isPrintedBadge(text)).toBe(true)
      for (const place of ['receiving', 'checkout', 'other'] as const)
        expect(classify(text, place)).toEqual({ kind: 'badge', badge: '', proof: null })
    }
  })
})

describe('a role', () => {
  it.each([
    ['clerk', 'receive', true],
    ['clerk', 'sell', false],
    ['counter', 'sell', true],
    ['counter', 'count', false],
    ['lead', 'approve', true],
    ['lead', 'settings', false],
    ['manager', 'settings', true],
  ] as const)('%s: %s is %s', (role, permission, is) => {
    expect(may(role, permission)).toBe(is)
  })

  it('loses no manager where there was none', () => {
    const one = (role: Person['role']): Person => ({
      ...{
        id: noId,
        name: 'A',
        shortName: 'AA',
        role,
        edit: 0,
        restored: 0,
        removedAt: null,
        secret: undefined,
        isRoleFixed: false,
      },
    })
    expect(losesManager([], [one('clerk')])).toBe(false)
    expect(losesManager([one('clerk')], [one('lead')])).toBe(false)
    expect(losesManager([one('manager'), one('clerk')], [one('clerk')])).toBe(true)
    expect(losesManager([one('manager')], [])).toBe(false)
  })
})
