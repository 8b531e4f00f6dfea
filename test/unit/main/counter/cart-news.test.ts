import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tellPagesOfCarts } from '../../../../src-main/counter/cart-news'
import type { Checkout } from '../../../../src-main/counter/checkout'
import { afterStep } from '../../../../src-shared/cart-step'
import { CartMode, CartStep, CartView } from '../../../../src-shared/ipc/contract/checkout'
import { eventsOf } from '../../../fakes/events'
import { order, tag } from '../../../fakes/ids'
import { facts, useCounter } from './counter-desk'

const tags = Array.from({ length: 6 }, (_, n) => tag(n + 1))

/** A page: it gets what main tells, through the contract. */
function createPage() {
  const shown = new Map<CartMode, CartView>()
  let told: (CartView | CartStep)[] = []
  /** The revision that the page had, and the one that the step is from. */
  let since: [number | undefined, number][] = []
  const events = eventsOf()
  tellPagesOfCarts(events)
  events.on('checkout.cart', 'test', (cart) => {
    told.push(cart)
    shown.set(cart.mode, CartView.parse(cart))
  })
  events.on('checkout.cartStep', 'test', (step) => {
    told.push(step)
    const before = shown.get(step.mode)
    since.push([before?.revision, step.since])
    if (before) shown.set(step.mode, afterStep(before, CartStep.parse(step)))
  })
  return {
    shown,
    hear(carts: CartView[]): (CartView | CartStep)[] {
      told = []
      since = []
      for (const cart of carts) events.emit('cart.changed', cart)
      for (const [had, from] of since) expect(had).toBe(from)
      return told
    },
  }
}

const mode = fc.constantFrom(...CartMode.options)
const item = fc.constantFrom(...tags)
const act = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('add'), mode, item }) },
  fc.record({ does: fc.constantFrom('remove', 'learn', 'expect', 'forget', 'finish'), mode, item }),
  fc.record({ does: fc.constantFrom('number', 'badge', 'hold', 'resume', 'levels', 'silence', 'speak'), mode, item }),
)

/**
 * The carts without what only this process knows: their revisions, what the service has confirmed since the scan, and the
 * product of a line that has no items left (the shelf is not in the store).
 */
const storedCarts = (checkout: Checkout): unknown =>
  CartMode.options.map((mode) => {
    const { lines, ...cart } = checkout.cart(mode)
    const filled = lines.filter(({ items }) => items.length > 0)
    return JSON.stringify({ ...cart, lines: filled }, (name, value: unknown) =>
      name === 'revision' || name === 'asOf' ? undefined : value,
    )
  })

describe('what pages are told of a cart', () => {
  const counter = useCounter()

  it('leads each page to the cart that main has, whatever is done at the counter', async () => {
    let orders = 0
    const does = async (what: string, mode: CartMode, item: (typeof tags)[number], at: number) => {
      const { checkout, shelf } = counter
      const [line] = checkout.cart(mode).lines
      if (what === 'add') await checkout.scanning.addItem(mode, item, { reason: 'agreed' })
      if (what === 'remove') checkout.removeItem(mode, item)
      if (what === 'learn') shelf.remember(facts(item, { product: (at % 3) + 1, caseId: null }))
      if (what === 'expect' && line) checkout.setExpected(mode, line.key, (at % 3) + 1)
      if (what === 'forget' && line) checkout.setExpected(mode, line.key, null)
      if (what === 'number') checkout.setOrder(mode, order(`T-${++orders}`))
      if (what === 'badge') checkout.setBudtender(mode, `B-${at % 2}`)
      if (what === 'hold') counter.hold()
      if (what === 'resume') checkout.holding.resume(checkout.held()[0]?.id ?? 1)
      if (what === 'levels') checkout.setSettings({ ...checkout.settings(), takesUnchecked: at % 2 === 0 })
      if (what === 'silence') shelf.goSilent()
      if (what === 'speak') shelf.speak()
      if (what === 'finish') checkout.finishing.finish(mode, { ...counter.seen(mode), isMeant: true })
    }
    counter.shelf.put(...tags.map((tagId, n) => facts(tagId, { product: (n % 3) + 1 })))
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 20, maxLength: 40 }), async (acts) => {
        const page = createPage()
        let heard = counter.announced.carts.length
        for (const [at, { does: what, mode, item }] of acts.entries()) {
          await does(what, mode, item, at)
          page.hear(counter.announced.carts.slice(heard))
          heard = counter.announced.carts.length
          for (const [mode, cart] of page.shown) {
            expect(cart).toEqual(counter.announced.carts.findLast((one) => one.mode === mode))
          }
        }
        // A new process has parsed and judged nothing yet, and shows the same.
        const kept = storedCarts(counter.checkout)
        counter.restart()
        expect(storedCarts(counter.checkout)).toEqual(kept)
      }),
      { numRuns: 20 },
    )
  })

  it('is one item for a scan, however many the cart holds', async () => {
    const { shelf, announced } = counter
    shelf.put(...tags.map((tagId, n) => facts(tagId, { product: n < 3 ? 1 : n })))
    const page = createPage()
    for (const tagId of tags) await counter.add(tagId)
    const told = page.hear(announced.carts)
    expect(told[0]).toMatchObject({ lines: [{ items: [{ tagId: tags[0] }] }] })
    const steps = told.slice(1).map((one) => ('changed' in one ? one.changed : []))
    expect(steps).toMatchObject(tags.slice(1).map((tagId) => [{ items: [{ tagId }] }]))
    expect(steps.flat().map(({ items }) => items.length)).toEqual([1, 1, 1, 1, 1])
  })

  it('has a newer revision than the cart that a page got while the service was asked about a scan', async () => {
    const { shelf, checkout } = counter
    shelf.put(facts(tag(1)))
    shelf.remember(facts(tag(1)))
    shelf.dawdle()
    const scanning = counter.add(tag(1))
    await setImmediate()
    const early = checkout.cart('sale')
    await shelf.answerAll()
    await scanning
    const late = checkout.cart('sale')
    // The scan showed what was remembered; the service has said the same since.
    expect(late.lines).not.toEqual(early.lines)
    expect(late.revision).toBeGreaterThan(early.revision)
  })

  it('is the whole cart after a removal, and for a cart that is told again', async () => {
    const { shelf, announced, checkout } = counter
    shelf.put(...tags.map((tagId) => facts(tagId)))
    for (const tagId of tags) await counter.add(tagId)
    counter.value(checkout.removeItem('sale', tag(2)))
    const [last] = announced.carts.slice(-1)
    const told = createPage().hear([...announced.carts, ...(last ? [last] : [])])
    expect(told.slice(-2)).toMatchObject([
      { itemCount: 5, lines: [{}] },
      { itemCount: 5, lines: [{}] },
    ])
  })
})
