import { describe, expect, it } from 'vitest'
import { PeopleRules } from '../../../../src-shared/people'
import { err, ok } from '../../../../src-shared/result'
import { hand } from '../../../../src-main/core/hand'
import { silentLog } from '../../../../src-main/core/log'
import { noteCommit } from '../../../../src-main/database/saved'
import { createDispatch } from '../../../../src-main/ipc/dispatch'
import { type Handlers } from '../../../../src-main/ipc/handlers'
import { callHands } from '../../../../src-main/people/acts'
import { SignIn } from '../../../../src-main/people/sign-in'
import { noId, storePeople, valueOf } from './store-people'

/** A station where Ana (counter) may sign in, with these handlers. */
function station(handlers: Partial<Handlers>, rules: Partial<PeopleRules> = {}) {
  const store = storePeople()
  const id = store.add('Ana', 'AN', 'counter')
  let steady = 0
  const signIn = new SignIn({ ...store, log: silentLog, rules: () => PeopleRules.parse(rules), steady: () => steady })
  const dispatch = createDispatch({
    station: { handlers, log: silentLog, hands: callHands({ signIn, journal: store.journal, log: silentLog }) },
    isTrusted: () => true,
  })
  return {
    ...{ ...store, id, signIn },
    pass: (ms: number) => (steady += ms),
    enter: async () => valueOf(await signIn.by({ proof: signIn.proofOf(id) })),
    call: (name: string, input?: unknown) => dispatch('page', name, input),
    lines: () =>
      store.db
        .prepare(`SELECT what, subject, name, detail FROM journal WHERE what NOT LIKE '%ed%' ORDER BY entry`)
        .raw()
        .all(),
  }
}

const limits = { count: 10, hours: 1 }
const finish = { mode: 'sale', orderId: null, itemCount: 0, revision: 0 }

describe('the hand of a call', () => {
  it('is that of who was signed in when it came, whoever is by the end of it', async () => {
    const hands: unknown[] = []
    const { call, enter, signIn, lines } = station({
      'outbox.setLimits': async () => {
        await Promise.resolve()
        signIn.out()
        await new Promise(setImmediate)
        hands.push(hand().person?.name)
        return ok(null)
      },
    })
    await call('outbox.setLimits', limits)
    await enter()
    await call('outbox.setLimits', limits)
    await call('outbox.setLimits', limits)
    expect(hands).toEqual([undefined, 'Ana', undefined])
    const detail = '{"call":"outbox.setLimits"}'
    expect(lines()).toEqual([null, 'Ana', null].map((name) => ['settings', null, name, detail]))
  })

  it('leaves no line of what was not done', async () => {
    const { call, lines } = station({ 'outbox.setLimits': () => err({ code: 'store/not-saved' }) })
    await call('outbox.setLimits', limits)
    await call('outbox.setLimits', 'no limits')
    expect(lines()).toEqual([])
  })

  it('is a step of the person if it saved something, and none if it only reads', async () => {
    const { call, enter, signIn, pass } = station({
      'outbox.limits': () => ok(limits),
      'outbox.sendNow': () => {
        noteCommit()
        return ok(null)
      },
    })
    await enter()
    for (let minute = 0; minute < 8; minute += 4) {
      pass(4 * 60_000)
      await call('outbox.sendNow')
    }
    expect(signIn.current()?.name).toBe('Ana')
    pass(4 * 60_000)
    await call('outbox.limits')
    pass(60_000)
    await call('outbox.limits')
    expect(signIn.current()).toBeNull()
  })

  it('needs a name and a role for what ends something, where the store demands it, and none for a scan', async () => {
    const done: string[] = []
    const { call, enter } = station(
      {
        'checkout.finish': ({ mode }) => {
          done.push(mode)
          return err({ code: 'checkout/empty-cart' })
        },
        'receiving.finishDelivery': () => {
          done.push('delivery')
          return err({ code: 'receiving/no-delivery' })
        },
        'scanner.submit': () => {
          done.push('scan')
          return ok(null)
        },
      },
      { demand: 'required' },
    )
    expect(await call('checkout.finish', finish)).toMatchObject({ error: { code: 'people/who' } })
    await call('scanner.submit', { text: 'x', source: 'wedge' })
    await enter()
    expect(await call('checkout.finish', finish)).toMatchObject({ error: { code: 'checkout/empty-cart' } })
    const refusal = { code: 'people/not-permitted', needs: 'receive' }
    expect(await call('receiving.finishDelivery', { deliveryId: noId })).toEqual({ ok: false, error: refusal })
    expect(done).toEqual(['scan', 'sale'])
  })
})
