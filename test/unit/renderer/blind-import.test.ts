import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { AppError } from '../../../src-shared/errors'
import { caseId, caseView, deliveryCase, operation } from './examples'
import { announce, answerCase, answerPackage, createReceiving, receivingPackage, uid } from './deliveries'

describe('a case that was never read', () => {
  async function scanUnseen(identifier = 'CASE-9', error: AppError = { code: 'service/unreachable' }) {
    const setup = await receivingPackage()
    const added = setup.receiving.add({ kind: 'case', identifier })
    await setup.fake.next('receiving.addCase').refuse(error)
    await added
    return setup
  }

  it('is offered for a blind import into the only package of the delivery, marked as suggested', async () => {
    const { receiving } = await scanUnseen()
    expect(receiving.blind.current?.scanned).toBe('CASE-9')
    expect(receiving.blind.current?.form.packageUid).toBe(uid)
    expect(receiving.blind.current?.form.isPackageSuggested).toBe(true)
    expect(receiving.scanned.failure).toBeNull()
  })

  it.each<AppError>([
    { code: 'service/busy' },
    { code: 'service/failing', status: 502 },
    // A captive portal answers every request with a page of its own.
    { code: 'service/unreadable', path: null },
  ])('is also offered if the answer is $code', async (error) => {
    const { receiving } = await scanUnseen('CASE-9', error)
    expect(receiving.blind.current?.scanned).toBe('CASE-9')
  })

  it('is shown while no count runs, even if a count could be started', async () => {
    const { receiving } = await scanUnseen()
    receiving.panes.isCountOpen = true
    expect(receiving.isCountShown).toBe(false)
    expect(await receiving.primary()).toEqual({ kind: 'refused', error: null })
    receiving.select(caseId(1))
    expect(receiving.isCountShown).toBe(true)
  })

  it('leaves the package to choose if there are several, even if the second is scanned afterwards', async () => {
    const { fake, receiving } = await scanUnseen()
    const added = receiving.add({ kind: 'package', packageUid: 'U2' })
    await answerPackage(fake, 'U2')
    await added
    const form = receiving.blind.unseen[0]?.form
    expect([form?.packageUid, form?.isPackageSuggested, form?.isComplete]).toEqual(['', false, false])
    form?.usePackage('U2')
    expect([form?.packageUid, form?.isPackageSuggested]).toEqual(['U2', false])
  })

  it('is looked up again once the service answers: what was typed stays, and it is shown if it was in view', async () => {
    const { fake, receiving } = await scanUnseen()
    receiving.blind.current?.form.ids.choose('posProductId', 'P-9')
    const again = receiving.scanned.again()
    await answerCase(fake, caseView(9))
    await again
    expect([receiving.blind.unseen, receiving.selected?.caseId]).toEqual([[], caseId(9)])
    expect(receiving.form?.ids.posProductId).toBe('P-9')
  })

  describe('while the service answers', () => {
    const busy: AppError = { code: 'service/busy' }
    const minute = 60_000

    /** Answers what is asked now, if anything. Gives what was. */
    async function refuseAll({ fake }: Awaited<ReturnType<typeof scanUnseen>>, error: AppError, after = 0) {
      await vi.advanceTimersByTimeAsync(after)
      const asked = fake.asked.splice(0)
      for (const one of asked) void one.refuse(error)
      await vi.advanceTimersByTimeAsync(0)
      return asked.map(({ input }) => input)
    }

    async function scanBusy(isAnswering = true) {
      const setup = await scanUnseen('CASE-9', isAnswering ? busy : { code: 'service/unreachable' })
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      onTestFinished(() => void vi.useRealTimers())
      setup.receiving.scanned.answers(isAnswering)
      return setup
    }

    it('is looked up again and again, with growing pauses, until it is answered', async () => {
      const setup = await scanBusy()
      const { fake, receiving } = setup
      const asked = { identifier: 'CASE-9' }
      expect(await refuseAll(setup, busy)).toEqual([asked])
      expect(await refuseAll(setup, busy)).toEqual([])
      expect(await refuseAll(setup, busy, minute)).toEqual([asked])
      let tries = 0
      for (let minutes = 0; minutes < 30; minutes++) tries += (await refuseAll(setup, busy, minute)).length
      expect(tries).toBeGreaterThan(5)
      expect(tries).toBeLessThan(20)
      await vi.advanceTimersByTimeAsync(5 * minute)
      void answerCase(fake, caseView(9))
      await vi.advanceTimersByTimeAsync(0)
      expect([receiving.blind.unseen, receiving.selected?.caseId]).toEqual([[], caseId(9)])
      expect(await refuseAll(setup, busy, 30 * minute)).toEqual([])
    })

    it('is looked up again if its first scan was refused as busy, and not once a person wants it no more', async () => {
      const setup = await scanBusy()
      await refuseAll(setup, { code: 'service/not-found', id: 'CASE-9' })
      const added = setup.receiving.add({ kind: 'case', identifier: 'CASE-10' })
      await refuseAll(setup, busy)
      await added
      expect(await refuseAll(setup, busy, minute)).toEqual([{ identifier: 'CASE-10' }])
      setup.receiving.blind.forget('CASE-10')
      expect(await refuseAll(setup, busy, 30 * minute)).toEqual([])
    })

    it('waits for the service when it stops answering', async () => {
      const setup = await scanBusy()
      await refuseAll(setup, busy)
      setup.receiving.scanned.answers(false)
      expect(await refuseAll(setup, busy, 30 * minute)).toEqual([])
      setup.receiving.scanned.answers(true)
      expect(await refuseAll(setup, busy)).toEqual([{ identifier: 'CASE-9' }])
    })
  })

  describe('over a reload of the page', () => {
    async function reload(isAnswering: boolean) {
      const setup = createReceiving()
      setup.fake.always('receiving.unreadCases', [{ scanned: 'CASE-9', error: { code: 'service/unreachable' } }])
      setup.receiving.scanned.answers(isAnswering)
      const loading = setup.receiving.load()
      await setup.fake.next('receiving.delivery').answer(null)
      await loading
      return setup
    }

    it('is kept, without a form in view, and looked up when the service answers', async () => {
      const { fake, receiving } = await reload(false)
      expect([receiving.blind.unseen.map(({ scanned }) => scanned), receiving.blind.current]).toEqual([
        ['CASE-9'],
        null,
      ])
      receiving.scanned.answers(true)
      await answerCase(fake, caseView(9))
      expect(receiving.blind.unseen).toEqual([])
    })

    it('is looked up at once if the service answers by then', async () => {
      const { fake, receiving } = await reload(true)
      await answerCase(fake, caseView(9))
      expect(receiving.blind.unseen).toEqual([])
    })

    it('keeps what was typed meanwhile for the same case', async () => {
      const { fake, receiving } = await scanUnseen()
      receiving.blind.current?.form.ids.choose('posProductId', 'P-9')
      fake.always('receiving.unreadCases', [{ scanned: 'CASE-9', error: { code: 'service/unreachable' } }])
      await receiving.scanned.restore()
      expect(receiving.blind.current?.form.ids.posProductId).toBe('P-9')
    })
  })

  it('is not added when it was discarded while another one was looked up again', async () => {
    const { fake, receiving } = await scanUnseen()
    const added = receiving.add({ kind: 'case', identifier: 'CASE-10' })
    await fake.next('receiving.addCase').refuse({ code: 'service/unreachable' })
    await added
    const again = receiving.scanned.again()
    receiving.blind.forget('CASE-10')
    await fake.next('receiving.addCase').refuse({ code: 'service/not-found', id: 'CASE-9' })
    await again
    expect(fake.asked).toEqual([])
  })

  it('says why if the service answers that it has no such case', async () => {
    const { fake, receiving } = await scanUnseen()
    receiving.select(caseId(1))
    const again = receiving.scanned.again()
    await fake.next('receiving.addCase').refuse({ code: 'service/not-found', id: 'CASE-9' })
    await again
    expect(receiving.blind.unseen).toMatchObject([{ scanned: 'CASE-9', error: { code: 'service/not-found' } }])
    expect([receiving.blind.current, receiving.selected?.caseId]).toEqual([null, caseId(1)])
  })

  it('is saved by the primary action once its ids are entered, and then appears in the list', async () => {
    const { fake, receiving } = await scanUnseen()
    expect(await receiving.primary()).toEqual({ kind: 'refused', error: null })
    const { current } = receiving.blind
    current?.form.ids.choose('posProductId', 'P-1')
    current?.form.ids.choose('posInventoryId', 'I-1')
    const saving = receiving.primary()
    const asked = fake.next('receiving.importBlind')
    expect(asked.input).toEqual({ scanned: 'CASE-9', packageUid: uid, posProductId: 'P-1', posInventoryId: 'I-1' })
    const saved = operation({ kind: 'blind-import', state: 'queued', productName: 'CASE-9' })
    await announce(fake, { blind: [saved] })
    await asked.answer(saved)
    await saving
    expect(receiving.blind.current).toBeNull()
    expect(receiving.items.at(-1)).toMatchObject({ kind: 'blind', key: saved.id })
  })

  it('keeps what was typed while another case is shown, and after another unseen case', async () => {
    const { fake, receiving } = await scanUnseen()
    receiving.blind.current?.form.ids.choose('posProductId', 'P-9')
    receiving.select(caseId(1))
    expect(receiving.blind.current).toBeNull()
    const added = receiving.add({ kind: 'case', identifier: 'CASE-10' })
    await fake.next('receiving.addCase').refuse({ code: 'service/failing', status: 500 })
    await added
    expect(receiving.blind.current?.scanned).toBe('CASE-10')
    receiving.blind.forget('CASE-10')
    expect(receiving.blind.current?.form.ids.posProductId).toBe('P-9')
  })

  it('becomes a case of the delivery when the service identifies it', async () => {
    const { fake, receiving } = await receivingPackage()
    const blind = operation({ kind: 'blind-import', state: 'queued' })
    await announce(fake, { blind: [blind] })
    const reason = { code: 'receiving/choose-product' as const, caseId: 'x' }
    await announce(fake, { blind: [{ ...blind, state: 'rejected', reason }] })
    expect(receiving.delivery.blind.map(({ state }) => state)).toEqual(['rejected'])
    await announce(fake, { blind: [], cases: [deliveryCase(caseView(3), uid)] })
    expect(receiving.delivery.blind).toEqual([])
    expect(receiving.delivery.rows.map((row) => row.caseId)).toEqual([caseId(1), caseId(2), caseId(3)])
  })

  it.each([
    { code: 'service/not-found' as const, id: 'x' },
    { code: 'scan/not-a-code' as const, text: 'x' },
    { code: 'ipc/disconnected' as const },
    { code: 'store/not-saved' as const },
  ])('is not offered if the answer is $code', async (error) => {
    const { fake, receiving } = createReceiving()
    const added = receiving.add({ kind: 'case', identifier: 'x' })
    await fake.next('receiving.addCase').refuse(error)
    await added
    expect(receiving.blind.current).toBeNull()
    expect(receiving.scanned.failure?.error.code).toBe(error.code)
  })
})
