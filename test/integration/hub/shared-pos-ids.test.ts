import { describe, expect, it } from 'vitest'
import { situation } from '../../hub/store'
import { useStore } from '../../hub/use-store'
import { caseNamed, delivery } from '../core/receiving-desk'
import type { Station } from '../core/station'

const store = useStore()

const packageUid = delivery(1)
const cases = ['blue dune', 'house 1', 'house 2'].map(caseNamed)

/** Imports a case of the package with these POS ids; returns the product. */
const importOne = async (station: Station, posProductId: string) => {
  for (const identifier of cases) {
    const found = await station.ask('receiving.case', { identifier })
    const [product] = found.packagedProducts
    if (!product || product.importState.kind !== 'to-import') continue
    await station.ask('receiving.import', {
      caseId: found.caseId,
      packageUid,
      packagedProductId: product.packagedProductId,
      posProductId,
      posInventoryId: `${posProductId}-INV`,
    })
    return product.productId
  }
  throw new Error('nothing to import')
}
const known = async (station: Station, productId: string) => {
  const [prefill] = await station.ask('receiving.prefills', { pairs: [{ productId, packageUid }] })
  return prefill?.posProductId.map(({ value }) => value)
}
const pushedIds = () =>
  store.sql(`SELECT body::jsonb ->> 'posProductId' AS id FROM countertag.record WHERE topic = 'pos'`)

describe('POS ids in a store', () => {
  it('that were entered at one station are offered at the others, also at one that joins later', async () => {
    const [one, two] = [await store.station('Station 1'), await store.station('Station 2')]
    const productId = await importOne(one, 'POS-1')
    await expect.poll(() => known(two, productId)).toEqual(['POS-1'])
    const three = await store.station('Station 3')
    await expect.poll(() => known(three, productId)).toEqual(['POS-1'])
  })

  it('are told after an outage, and again to a hub that lost them; the newer entry counts', async () => {
    const [one, two] = [await store.station('Station 1'), await store.station('Station 2')]
    await store.stop()
    await Promise.all([situation(one, 'offline'), situation(two, 'offline')])
    const productId = await importOne(one, 'POS-1')
    await store.start()
    await Promise.all([situation(one, 'online'), situation(two, 'online')])
    await expect.poll(() => known(two, productId)).toEqual(['POS-1'])
    await store.sql(`UPDATE countertag.record SET body = (body::jsonb || '{"posProductId":"POS-2"}' || jsonb_build_object('at', (body::jsonb ->> 'at')::bigint + 1000))::text,
        revision = revision + 1`)
    await store.sql(`UPDATE countertag.news SET revision = revision + 1 WHERE topic = 'pos'`)
    await store.sql(`NOTIFY countertag, 'pos'`)
    await expect.poll(() => known(one, productId)).toEqual(['POS-2'])
    await store.sql(`DELETE FROM countertag.record WHERE topic = 'pos'`)
    await store.sql('UPDATE countertag.store SET id = gen_random_uuid()')
    await one.restart()
    await situation(one, 'online')
    await expect.poll(() => pushedIds()).toEqual([{ id: 'POS-2' }])
    expect(await known(two, productId)).toEqual(['POS-2'])
  })

  it('that can’t be read are left out', async () => {
    const one = await store.station('Station 1')
    const productId = await importOne(one, 'POS-1')
    await expect.poll(() => pushedIds()).toHaveLength(1)
    await store.sql(
      `INSERT INTO countertag.record (topic, key, body, station, turn, revision)
        SELECT topic, 'no product ' || key, '{}', station, 1, revision FROM countertag.record WHERE topic = 'pos'`,
    )
    const two = await store.station('Station 2')
    await expect.poll(() => known(two, productId)).toEqual(['POS-1'])
  })
})
