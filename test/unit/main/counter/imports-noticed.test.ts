import { describe, expect, it } from 'vitest'
import type { CaseId } from '../../../../src-shared/ids'
import { caseOf, packageUid, tag, thing } from '../../../fakes/ids'
import { facts, useCounter } from './counter-desk'

describe('items in an open order when their case is imported, or its import is taken back', () => {
  const counter = useCounter()

  const ofCase = (caseId: CaseId) => ({
    caseId,
    packageUid: packageUid(1),
    packagedProductId: thing(1),
    productName: null,
    itemCount: 2,
  })
  const importOf = (caseId: CaseId) =>
    counter.value(counter.outbox.enqueue({ kind: 'import', ...ofCase(caseId), posProductId: 'P', posInventoryId: 'I' }))
  const flagsOf = () =>
    counter.checkout.cart('sale').lines.flatMap((line) => line.items.map(({ tagId, verdict }) => [tagId, verdict.kind]))

  it('are no longer flagged, in the cart and on hold, and the screen is updated', async () => {
    const { shelf, checkout, announced, value } = counter
    const off = { isImported: false }
    shelf.put(facts(tag(1), off), facts(tag(2), off), facts(tag(3), { ...off, caseId: caseOf(2) }))
    await counter.fill('1', tag(1))
    value(counter.hold())
    await counter.fill('2', tag(2), tag(3))
    expect(flagsOf()).toEqual([
      [tag(2), 'not-imported'],
      [tag(3), 'not-imported'],
    ])
    const { revision } = counter.seen('sale')
    announced.carts.length = 0
    announced.holds.length = 0

    importOf(caseOf(1))
    // The item of the other case keeps its flag.
    const after = [
      [tag(2), 'sellable'],
      [tag(3), 'not-imported'],
    ]
    expect(flagsOf()).toEqual(after)
    expect(announced.carts).toHaveLength(1)
    expect(announced.flags).toMatchObject([
      { mode: 'sale', tagId: tag(2), verdict: { kind: 'sellable' }, itemCount: 2 },
    ])
    expect(announced.holds).toHaveLength(1)
    value(checkout.holding.drop(checkout.held()[0]?.id ?? 0))
    expect(announced.holds.at(-1)).toEqual([])

    // A change without an effect isn't announced.
    counter.send()
    expect(flagsOf()).toEqual(after)
    expect(announced.carts).toHaveLength(1)
    // A revision from before a flag was cleared is still valid.
    expect(checkout.clear('sale', revision).ok).toBe(true)
  })

  it('are not sellable by the import of another product of their case', async () => {
    const { shelf, outbox, value } = counter
    const off = { isImported: false }
    shelf.put(
      facts(tag(1), { ...off, packagedProductId: thing(1) }),
      facts(tag(2), { ...off, product: 2, packagedProductId: thing(2) }),
    )
    importOf(caseOf(1))
    await counter.fill('1', tag(1), tag(2))
    expect(flagsOf()).toEqual([
      [tag(1), 'sellable'],
      [tag(2), 'not-imported'],
    ])
    counter.clear()
    counter.send()
    const on = { isImported: true }
    shelf.put(
      facts(tag(1), { ...on, packagedProductId: thing(1) }),
      facts(tag(2), { ...on, product: 2, packagedProductId: thing(2) }),
    )
    value(outbox.enqueue({ kind: 'import-removal', ...ofCase(caseOf(1)) }))
    await counter.fill('2', tag(1), tag(2))
    expect(flagsOf()).toEqual([
      [tag(1), 'not-imported'],
      [tag(2), 'sellable'],
    ])
  })

  it('are said as of now once the service says the same', async () => {
    const { shelf, announced } = counter
    shelf.remember(facts(tag(1), { isImported: false }))
    shelf.put(facts(tag(1), { isImported: false }))
    counter.setOutOfReach(true)
    shelf.dawdle()
    expect(await counter.add(tag(1))).toMatchObject({ verdict: { kind: 'not-imported' } })
    importOf(caseOf(1))
    expect([flagsOf(), announced.flags.length]).toEqual([[[tag(1), 'sellable']], 1])
    expect(announced.flags.at(-1)?.verdict.asOf).not.toBeNull()
    await shelf.answerAll()
    expect([flagsOf(), announced.flags.length]).toEqual([[[tag(1), 'sellable']], 2])
    expect(announced.flags.at(-1)?.verdict.asOf).toBeNull()
  })

  it('are flagged again when the service refuses the import, or the import is taken back', async () => {
    const { shelf, outbox, value } = counter
    shelf.put(facts(tag(1), { isImported: false }))
    await counter.fill('1', tag(1))
    const operation = importOf(caseOf(1))
    expect(flagsOf()).toEqual([[tag(1), 'sellable']])
    counter.refuse({ code: 'service/forbidden' })
    expect(flagsOf()).toEqual([[tag(1), 'not-imported']])
    value(outbox.retry(operation.id))
    expect(flagsOf()).toEqual([[tag(1), 'sellable']])
    counter.send()
    value(outbox.enqueue({ kind: 'import-removal', ...ofCase(caseOf(1)) }))
    expect(flagsOf()).toEqual([[tag(1), 'not-imported']])
  })
})

describe('the expected quantity', () => {
  const counter = useCounter()

  it("can't be set for an unknown product, and survives when more than its name becomes known", async () => {
    const { shelf, checkout, value, refusal } = counter
    shelf.goSilent()
    await counter.add(tag(1))
    expect(checkout.cart('sale').lines).toMatchObject([{ key: 'unknown', productName: null }])
    expect(refusal(checkout.setExpected('sale', 'unknown', 2))).toEqual({ code: 'checkout/cart-changed' })
    value(checkout.setExpected('sale', 'unknown', null))

    shelf.remember(facts(tag(1), { productId: null }))
    const [named] = checkout.cart('sale').lines
    value(checkout.setExpected('sale', named?.key ?? '', 2))
    shelf.remember(facts(tag(1)))
    const [line] = checkout.cart('sale').lines
    expect(line?.key).not.toBe(named?.key)
    expect(line?.expected).toBe(2)
    expect(counter.shown(checkout.setExpected('sale', line?.key ?? '', null)).lines[0]?.expected).toBeNull()
  })
})
