import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TagId } from '../../../src-shared/ids'
import type { CartMode } from '../../../src-shared/ipc/contract/checkout'
import { otherTill } from './other-till'
import { type Station, startStation } from './station'
import { stepsOf } from './steps'

const wait = { timeout: 20_000 }

describe(
  'what is said of an item after another till changed it, against the practice service',
  { timeout: 60_000 },
  () => {
    let station: Station
    const { caseToImport, clear, fillCart, finish, hold, sellable } = stepsOf(() => station)
    beforeEach(async () => {
      station = await startStation()
    })
    afterEach(async () => {
      await station.close()
    })

    /** What a scan says; the item stays out of the cart. */
    const scan = async (tagId: string, mode: CartMode = 'sale') => {
      const answer = await station.client.call('checkout.addItem', { mode, tagId: TagId.parse(tagId) })
      if (answer.ok) await clear(mode)
      if (answer.ok) return answer.value.verdict.kind
      return answer.error.code === 'checkout/not-sellable' ? answer.error.verdict.kind : answer.error.code
    }
    const found = async (tagId: string) => {
      const view = await station.ask('find.entity', { kind: 'tag', id: tagId })
      return view.kind === 'tag' ? view.standing?.kind : undefined
    }
    const cartSays = async () => {
      const { lines } = await station.ask('checkout.cart', { mode: 'sale' })
      return lines.flatMap(({ items }) => items.map(({ verdict }) => verdict))
    }
    const kindsInCart = async () => (await cartSays()).map(({ kind }) => kind)
    const importable = async () => {
      const { form } = await caseToImport()
      const view = await station.ask('find.entity', { kind: 'collection', id: form.caseId })
      if (view.kind !== 'collection') throw new Error('not a case')
      const [a = '', b = ''] = view.items.map(({ tagId }) => tagId)
      return { form, a, b }
    }

    it('is not sellable once another till has taken our import back', async () => {
      const { form, a, b } = await importable()
      await station.ask('receiving.import', form)
      await station.drained()
      expect([await scan(a), await found(b)]).toEqual(['sellable', 'sellable'])
      await otherTill(station).removeImport(form)
      expect([await scan(a), await found(b)]).toEqual(['not-imported', 'not-imported'])
    })

    it('is not sellable once this station has taken its import back, also in the cart', async () => {
      const { form, a } = await importable()
      const { id } = await station.ask('receiving.import', form)
      await station.drained()
      await fillCart('1', [a])
      expect(await kindsInCart()).toEqual(['sellable'])
      await station.ask('receiving.undo', { operationId: id })
      expect(await kindsInCart()).toEqual(['not-imported'])
      await station.drained()
      expect(await kindsInCart()).toEqual(['not-imported'])
    })

    it('is sellable as soon as a sister store has given its case to us', async () => {
      const { form, a, b } = await importable()
      const sister = otherTill(station, 'sister store')
      await sister.import(form)
      expect(await scan(a)).toBe('sister-store')
      await sister.removeImport(form)
      await otherTill(station).import(form)
      expect([await scan(a), await found(b)]).toEqual(['sellable', 'sellable'])
    })

    it('is asked again once the connection is back, and says as of when until then', async () => {
      const [a = ''] = await sellable(1)
      expect(await scan(a)).toBe('sellable')
      await station.knobs.setFaults({ offline: true })
      await found(a)
      await expect
        .poll(async () => (await station.ask('app.status', undefined)).connection.state, wait)
        .toBe('unreachable')
      await fillCart('1', [a])
      const [offline] = await cartSays()
      expect(offline?.kind).toBe('sellable')
      expect(offline?.asOf).not.toBeNull()
      await station.knobs.setFaults({})
      await otherTill(station).sell('elsewhere', [a])
      await expect.poll(kindsInCart, wait).toEqual(['sold'])
    })

    it('is not said as of earlier if the service has just confirmed it', async () => {
      const [a = ''] = await sellable(1)
      await scan(a)
      await fillCart('1', [a])
      expect(await cartSays()).toMatchObject([{ kind: 'sellable', asOf: null }])
    })

    it.each(['on hold', 'refused', 'kept through a restart'])('is asked again in an order that was %s', async (how) => {
      const [a = '', b = ''] = await sellable(2)
      await fillCart('1', [a, b])
      if (how === 'on hold') await hold()
      await otherTill(station).sell('elsewhere', [a])
      if (how === 'on hold') {
        const [held] = await station.ask('checkout.held', undefined)
        await station.ask('checkout.resume', { heldId: held?.id ?? 0 })
      } else if (how === 'refused') {
        const { id } = await finish('sale')
        await station.ask('checkout.reopen', { operationId: id })
      } else await station.restart()
      await expect.poll(kindsInCart, wait).toEqual(['sold', 'sellable'])
    })
  },
)
