import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CallAnswer } from '../../../src-shared/ipc/client'
import { type CallName, callNames, callTable } from '../../../src-shared/ipc/contract'
import { type Station as WholeStation, openStation } from '../../../src-main/station/station'
import { fakeKeychain } from '../../fakes/keychain'
import { type Dispatch, createDispatch } from '../../../src-main/ipc/dispatch'
import { unlimited } from '../../../src-main/ipc/limits'
import { type Station, startStation } from './station'
import { checkoutInputs } from './inputs/checkout'
import { hubInputs } from './inputs/hub'
import { joinInputs } from './inputs/join'
import { hostingInputs } from './inputs/hosting'
import { peopleInputs } from './inputs/people'
import { posDayInputs } from './inputs/pos-day'
import { receivingInputs } from './inputs/receiving'
import { scannerInputs } from './inputs/scanner'
import { stationInputs } from './inputs/station'
import { stockInputs } from './inputs/stock'
import { type Walk, id } from './inputs/walk'

const walk: Walk<string> = {
  ...receivingInputs,
  ...stockInputs,
  ...checkoutInputs,
  ...scannerInputs,
  ...stationInputs,
  ...hubInputs,
  ...joinInputs,
  ...hostingInputs,
  ...posDayInputs,
  ...peopleInputs,
}

/**
 * Calls about things that must exist first. The tests of checkout, receiving, deliveries and counts cover their
 * success.
 */
const needsMore = new Set<CallName>([
  'receiving.case',
  'outbox.date',
  'hub.goOn',
  'join.newIdentity',
  'receiving.undo',
  'receiving.addCase',
  'receiving.dropPackage',
  'receiving.dropCase',
  'receiving.finishDelivery',
  'receiving.reopenDelivery',
  'receiving.undoDelivery',
  'receiving.report',
  'receiving.removeManifest',
  'receiving.restoreManifest',
  'receiving.matchManifest',
  'receiving.record',
  'receiving.correct',
  'receiving.addPhoto',
  'receiving.describePhoto',
  'receiving.removePhoto',
  'receiving.restorePhoto',
  'receiving.startCount',
  'receiving.joinCount',
  'receiving.joinDelivery',
  'receiving.countTag',
  'receiving.uncountTag',
  'receiving.finishCount',
  'receiving.reopenCount',
  'receiving.countDetail',
  'receiving.resolve',
  'receiving.takeOverSettling',
  'stock.count',
  'stock.start',
  'stock.join',
  'stock.scan',
  'stock.unscan',
  'stock.recent',
  'stock.late',
  'stock.pause',
  'stock.resume',
  'stock.finish',
  'stock.drop',
  'stock.recount',
  'stock.products',
  'stock.differences',
  'stock.explain',
  'stock.sign',
  'stock.export',
  'collection.remove',
  'collection.restore',
  'collection.removeItem',
  'collection.restoreItem',
  'collection.addItems',
  'collection.addCase',
  'receiving.exportCount',
  'checkout.addItem',
  'checkout.finish',
  'checkout.reopen',
  'checkout.amend',
  'checkout.hold',
  'checkout.clear',
  'checkout.resume',
  'checkout.dropHeld',
  'checkout.setExpected',
  'checkout.orderOfItem',
  'outbox.journal',
  'outbox.outage',
  'outbox.confirm',
  'outbox.retry',
  'outbox.withdraw',
  'outbox.dismiss',
  'hub.removeStation',
  'checkout.storeDay',
  'checkout.exportStoreDay',
  'checkout.closeStoreDay',
  'checkout.signDay',
  'posDay.setReason',
  'posDay.setTracked',
  'posDay.saleNumber',
  'hosting.start',
  'hosting.others',
  'hosting.renew',
  'hosting.stop',
  'join.join',
  'join.leave',
  'join.code',
  'join.giveCode',
  'join.scanned',
  'profile.remove',
  'profile.setCredentials',
  'profile.forgetCredentials',
  'profile.test',
  'security.unlock',
  'till.pdf',
  'people.setPin',
  'people.setBadge',
  'people.printBadge',
  'people.remove',
  'people.restore',
  'people.signIn',
  'people.changePin',
])

describe('the contract', () => {
  let station: Station
  let app: WholeStation
  let dispatch: Dispatch<'ours' | 'theirs'>
  beforeAll(async () => {
    station = await startStation()
    app = await openStation({
      dataDir: `${station.dataDir}/second`,
      resourcesDir: `${import.meta.dirname}/../../../resources`,
      version: '0',
      keychain: fakeKeychain().keychain,
    })
    dispatch = createDispatch({ station: app, rateLimit: unlimited, isTrusted: (sender) => sender === 'ours' })
  })
  afterAll(async () => {
    await app.close()
    await station.close()
  })

  it.each(callNames)('%s answers every good input as the contract says', async (name) => {
    for (const input of walk[name].good) {
      const answer = CallAnswer.parse(await dispatch('ours', name, input))
      if (!needsMore.has(name)) expect(answer.ok).toBe(true)
      if (answer.ok) expect(callTable[name].output.safeParse(answer.value).error).toBeUndefined()
      // Operations and things that don't exist are refused by their own codes, never as a bug or bad input.
      else expect(answer.error.code).not.toMatch(/^(app|ipc)\//)
    }
  })

  it.each(callNames)('%s refuses every bad input and names the fault', async (name) => {
    for (const input of walk[name].bad) {
      const answer = CallAnswer.parse(await dispatch('ours', name, input))
      expect(answer).toMatchObject({ ok: false, error: { code: 'ipc/invalid-input' } })
    }
  })

  it.each(callNames)('%s answers only our own page', async (name) => {
    expect(await dispatch('theirs', name, walk[name].good[0])).toEqual({
      ok: false,
      error: { code: 'ipc/forbidden-sender' },
    })
  })

  it.each([
    '',
    'app',
    'app.statuss',
    '__proto__',
    'constructor',
    'toString',
    'x'.repeat(10_000),
    7,
    null,
    undefined,
    {},
  ])('does not know the call %j', async (call) => {
    expect(await dispatch('ours', call, undefined)).toMatchObject({ ok: false, error: { code: 'ipc/unknown-call' } })
  })

  it('turns an exception into an error without leaking it', async () => {
    const broken = createDispatch({
      station: {
        handlers: {
          'app.status': () => {
            throw new Error('secret: /home/till/client_secret')
          },
        },
        log: app.log,
      },
      isTrusted: () => true,
    })
    const answer = await broken('anybody', 'app.status', undefined)
    expect(answer).toMatchObject({ ok: false, error: { code: 'app/unexpected' } })
    expect(JSON.stringify(answer)).not.toContain('secret')
  })

  it('emits only events of the contract', async () => {
    const scans: unknown[] = []
    const stop = station.client.on('scanner.scanned', (scan) => scans.push(scan))
    await station.ask('scanner.setPlace', { place: 'receiving' })
    await station.ask('scanner.submit', { text: id, source: 'typed' })
    await station.ask('scanner.submit', { text: 'nonsense', source: 'wedge' })
    stop()
    await station.ask('scanner.submit', { text: id, source: 'typed' })
    expect(scans).toMatchObject([
      { seq: 1, source: 'typed', raw: id, meaning: { kind: 'case', caseId: id } },
      { seq: 2, source: 'wedge', meaning: { kind: 'unknown', text: 'nonsense' } },
    ])
  })

  it('keeps scans for later calls, also over a restart', async () => {
    const texts = async () => (await station.ask('scanner.recent', {})).scans.map(({ raw }) => raw?.text)
    const before = await texts()
    await station.ask('scanner.submit', { text: 'kept 1', source: 'typed' })
    await station.ask('scanner.submit', { text: 'kept 2', source: 'typed' })
    await station.restart()
    expect(await texts()).toEqual(['kept 2', 'kept 1', ...before])
  })
})
