import { describe, expect, it } from 'vitest'
import { createGates, usualGateRules } from '../../../../src-main/security/gates'
import { ok } from '../../../../src-shared/result'

const question = { gate: 'un-import', count: 1, name: 'Blue Dream' } as const

/** A station whose PIN is 2468. */
const withPin = createGates({
  ...usualGateRules,
  needsPin: () => true,
  checkPin: (pin) => Promise.resolve(pin === '2468' ? undefined : { code: 'security/wrong-pin', waitMs: 0 }),
})
const withoutPin = createGates(usualGateRules)

/** What a gate answers, and the reason with which the change ran. */
async function passed(gates: typeof withPin, ...[asked, approval]: Parameters<typeof withPin.pass>) {
  let because: string | null = null
  const answer = await gates.pass(asked, approval, (reason) => {
    because = reason ?? ''
    return ok(null)
  })
  return { code: answer.ok ? 'done' : answer.error.code, because }
}

describe('a gate', () => {
  const cases = [
    { approval: undefined, code: 'gate/not-asked' },
    { approval: {}, code: 'gate/reason-missing' },
    { approval: { reason: '', pin: '2468' }, code: 'gate/reason-missing' },
    { approval: { reason: 'wrong case' }, code: 'gate/pin-missing' },
    { approval: { reason: 'wrong case', pin: '' }, code: 'gate/pin-missing' },
    { approval: { reason: 'wrong case', pin: '1357' }, code: 'security/wrong-pin' },
    { approval: { reason: 'wrong case', pin: '2468' }, code: 'done' },
  ]
  it.each(cases)('answers $code to $approval', async ({ approval, code }) => {
    const because = code === 'done' ? 'wrong case' : null
    expect(await passed(withPin, question, approval, () => ok(null))).toEqual({ code, because })
  })

  it('says what it asks about and what it wants', async () => {
    expect(await withPin.pass(question, undefined, () => ok(null))).toEqual({
      ok: false,
      error: { code: 'gate/not-asked', ...question, wants: 'pin' },
    })
    expect(await withoutPin.pass(question, undefined, () => ok(null))).toMatchObject({ error: { wants: 'reason' } })
  })

  it('lets nothing pass that is no longer what the person was asked about', async () => {
    const approval = { reason: 'wrong case', pin: '2468' }
    const asked = async (then: Parameters<typeof withPin.pass>[0]) =>
      (await passed(withPin, then, { ...approval, asked: question }, () => ok(null))).code
    expect(await asked(question)).toBe('done')
    expect(await asked({ ...question, count: 2 })).toBe('gate/not-asked')
    expect(await asked({ ...question, name: 'Red Dune' })).toBe('gate/not-asked')
    // Nothing is to be asked any more, such as of a sale that was never sent.
    expect(await asked(null)).toBe('done')
  })

  it('takes a reason without a PIN while none is set', async () => {
    expect(await passed(withoutPin, question, { reason: 'wrong case' }, () => ok(null))).toEqual({
      code: 'done',
      because: 'wrong case',
    })
    expect((await passed(withoutPin, question, {}, () => ok(null))).code).toBe('gate/reason-missing')
  })

  it('takes a confirmation where no more is wanted, and asks nothing where there is no gate', async () => {
    const adding = { gate: 'add-items', count: 2, name: null } as const
    expect((await passed(withPin, adding, undefined, () => ok(null))).code).toBe('gate/not-asked')
    expect(await passed(withPin, adding, {}, () => ok(null))).toEqual({ code: 'done', because: '' })
    expect((await passed(withPin, null, undefined, () => ok(null))).code).toBe('done')
  })

  describe('in a store with people', () => {
    const lead = { shortName: 'LE', pin: '1234' }
    const gatesOf = (are: boolean, rules = usualGateRules) =>
      createGates(rules, {
        are: () => are,
        approve: (shown) =>
          Promise.resolve(
            'pin' in shown && shown.pin === '1234' ? undefined : { code: 'people/not-permitted', needs: 'approve' },
          ),
      })
    const withPeople = gatesOf(true)
    const asked = (gates: typeof withPin, approval?: Parameters<typeof withPin.pass>[1]) =>
      passed(gates, question, approval, () => ok(null))

    it('wants a lead where it wants a PIN', async () => {
      expect((await asked(withPeople, { reason: 'wrong case' })).code).toBe('gate/pin-missing')
      expect((await asked(withPeople, { by: lead })).code).toBe('gate/reason-missing')
      expect((await asked(withPeople, { reason: 'wrong case', by: { ...lead, pin: '0000' } })).code).toBe(
        'people/not-permitted',
      )
      expect(await asked(withPeople, { reason: 'wrong case', by: lead })).toEqual({
        code: 'done',
        because: 'wrong case',
      })
    })

    it('still takes the manager’s PIN of before, and wants neither while no lead can sign in', async () => {
      const both = gatesOf(true, {
        ...usualGateRules,
        needsPin: () => true,
        checkPin: () => Promise.resolve(undefined),
      })
      expect((await asked(both, { reason: 'wrong case', pin: '2468' })).code).toBe('done')
      expect((await asked(gatesOf(false), { reason: 'wrong case' })).code).toBe('done')
    })
  })
})
