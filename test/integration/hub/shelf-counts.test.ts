import { describe, expect, it } from 'vitest'
import { useStore } from '../../hub/use-store'
import { delivery, tagNamed } from '../core/receiving-desk'
import { stepsOf } from '../core/steps'

const onSale = Array.from({ length: 20 }, (_, at) => tagNamed(`on sale HF-PA-1 ${at + 1}`))

const store = useStore()

describe('a count of the shelf at one of several stations', () => {
  it('loses what another one sold meanwhile from its differences by itself, once the service has the sale', async () => {
    const [one, two] = [await store.station('Back room'), await store.station('Front')]
    const [sold, lost] = onSale
    if (!sold || !lost) throw new Error('two items')
    await one.ask('receiving.package', { packageUid: delivery(3) })
    await one.ask('stock.refresh', undefined)
    const ledger = () => one.ask('stock.ledger', undefined)
    await expect.poll(async () => (await ledger()).items, { timeout: 20_000 }).toBe(20)
    const { id: countId } = await one.ask('stock.start', { scope: { kind: 'all' } })
    for (const tagId of onSale.slice(2)) await one.ask('stock.scan', { countId, tagId })
    await stepsOf(() => two).sell('FRONT-1', [sold])
    await two.drained()
    await one.ask('stock.finish', { countId })
    const results = async () => (await one.ask('stock.count', { countId })).results
    await expect.poll(results, { timeout: 20_000 }).toMatchObject({ found: 18, missing: 1 })
    const { differences } = await one.ask('stock.differences', { countId, filter: {}, after: null })
    expect(differences).toMatchObject([{ tagId: lost, result: 'missing' }])
  })
})
