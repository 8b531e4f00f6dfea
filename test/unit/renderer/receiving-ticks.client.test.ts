import { expect, it } from 'vitest'
import { announce, fill, receivingCases, receivingPackage, uid } from './deliveries'
import { caseId, caseView, deliveryCase, packageView, product, productId } from './examples'
import { countRedraws } from './redraws.svelte'

it('redraws the tick of a case that is drawn before anything is remembered of its product, once its ids are typed', async () => {
  const { receiving } = await receivingPackage()
  const ticks = countRedraws(receiving.delivery.rows, (row) => receiving.isTicked(row))
  expect(receiving.selected).toBe(receiving.delivery.rows[0])
  fill(receiving)
  expect(ticks.redrawn()).toContain(0)
  ticks.stop()
})

it('keeps what was typed while the package of a case was not known', async () => {
  const { fake, receiving } = await receivingCases(caseView(1, { packageUids: [] }))
  const ticks = countRedraws(receiving.delivery.rows, (row) => receiving.isTicked(row))
  expect(receiving.form?.packageUid).toBe('')
  fill(receiving)
  await announce(fake, {
    packages: [packageView(uid)],
    cases: [deliveryCase(caseView(1, { packageUids: [uid] }), uid)],
  })
  expect(receiving.selected?.caseId).toBe(caseId(1))
  expect(receiving.form?.packageUid).toBe(uid)
  expect(receiving.form?.isComplete).toBe(true)
  expect(receiving.form?.values).toMatchObject({ posProductId: 'P-1', posInventoryId: 'I-1' })
  expect(ticks.redrawn()).toContain(0)
  ticks.stop()
})

it('keeps what was typed for each of two cases that turn out to be of one product and package', async () => {
  const view = (number: number, packageUids: string[]) =>
    caseView(number, { packageUids, packagedProducts: [{ ...product(number), productId: productId(1) }] })
  const { fake, receiving } = await receivingCases(view(1, []), view(2, []), view(3, []))
  for (const number of [1, 2, 3]) {
    receiving.select(caseId(number))
    fill(receiving)
    if (number === 2) receiving.form?.ids.choose('posInventoryId', 'I-2')
    if (number === 3) receiving.form?.ids.choose('posInventoryId', ' ')
  }
  await announce(fake, {
    packages: [packageView(uid)],
    cases: [1, 2, 3].map((number) => deliveryCase(view(number, [uid]), uid)),
  })
  const shown = () =>
    [1, 2, 3].map((number) => {
      receiving.select(caseId(number))
      return receiving.form?.values.posInventoryId
    })
  expect(shown()).toEqual(['I-1', 'I-2', 'I-1'])
  receiving.select(caseId(1))
  receiving.form?.ids.choose('posInventoryId', 'I-9')
  await announce(fake, { cases: [1, 2, 3].map((number) => deliveryCase(view(number, [uid]), uid)) })
  expect(shown()).toEqual(['I-9', 'I-2', 'I-9'])
})
