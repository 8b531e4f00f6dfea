import { expect, it } from 'vitest'
import { announce, fill, receivingCases, receivingPackage, uid } from './deliveries'
import { caseId, caseView, deliveryCase, packageView } from './examples'
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
