import type { AppError } from '../../src-shared/errors'
import type { Client } from '../../src-shared/ipc/client'
import type { Meaning, Scan } from '../../src-shared/scan/meaning'
import type { WedgeTrouble } from '../../src-shared/scan/trouble'
import { assertNever } from '../../src-shared/result'
import type { Checkout } from '../checkout/checkout.svelte'
import { shortened } from '../messages/errors'
import type { Text } from '../messages/text.svelte'
import type { Found, Receiving, Target } from '../receiving/receiving.svelte'
import { createScanActions } from './scan-actions'
import { type Outcome, type ScanNotice, type ScanStrip, type StripAction, refusal } from './strip.svelte'

/** Order numbers and package names have 1 to 100 characters. */
const canBeAName = (text: string) => text !== '' && text.length <= 100
const longestOnButton = 24

export type ScreenName = 'receiving' | 'checkout' | 'outbox' | 'settings'

/** How a text gets here; what main reads itself does not. */
export type SubmitSource = Exclude<Scan['source'], 'hid'>

export interface ScanReaderParts {
  client: Client
  strip: ScanStrip
  receiving: Receiving
  checkout: Checkout
  screen: () => ScreenName
  go: (screen: ScreenName) => void
}

/** Decides what a scan does on the screen where it happened, and says in the strip what became of it. */
export function createScanReader({ client, strip, receiving, checkout, screen, go }: ScanReaderParts) {
  const act = createScanActions({ checkout, screen })

  async function read(scan: Scan): Promise<void> {
    const { meaning } = scan
    checkout.banner.close()
    // Whoever scans on keeps the order.
    const isAnswer = meaning.kind === 'action' && meaning.action === 'cancel'
    if (checkout.cart && !isAnswer) checkout.cart.isAskingToClear = false
    const undoLast = strip.current?.undo ?? null
    strip.begin(scan, readText(meaning))
    strip.settle(scan.seq, await outcomeOf(meaning, undoLast))
  }

  async function outcomeOf(meaning: Meaning, undoLast: ScanNotice['undo']): Promise<Outcome> {
    switch (meaning.kind) {
      case 'package':
        return screen() === 'receiving'
          ? lookUp({ kind: 'package', packageUid: meaning.packageUid })
          : belongsInReceiving('package', { kind: 'package', packageUid: meaning.packageUid })
      case 'case':
        return screen() === 'receiving'
          ? lookUp({ kind: 'case', identifier: meaning.identifier })
          : belongsInReceiving('case', { kind: 'case', identifier: meaning.identifier })
      case 'tag': {
        const cart = screen() === 'checkout' ? checkout.cart : null
        if (cart) return cart.scan(meaning.tagId)
        return screen() === 'checkout' ? tagWhileVoiding() : belongsInCheckout()
      }
      case 'order':
        return order(meaning.orderId)
      case 'gs1':
        return { tone: 'attention', what: { key: 'scan.gs1' }, detail: { key: 'scan.gs1.detail' } }
      case 'badge':
        return {
          tone: 'attention',
          what: { key: 'scan.badge' },
          detail: { key: 'scan.badge.detail', values: { badge: meaning.badge } },
        }
      case 'action':
        return act(meaning.action, undoLast)
      case 'unknown':
        return unknown(meaning.text)
      default:
        return assertNever(meaning)
    }
  }

  /** An order number is used where none is yet; another one is never replaced by a scan. */
  async function order(orderId: string): Promise<Outcome> {
    const what = { key: 'scan.used-as-order', values: { orderId } } as const
    if (screen() !== 'checkout') {
      const open = {
        label: { key: 'scan.go-to-checkout' },
        run: () => go('checkout'),
        isOffered: () => screen() !== 'checkout',
      } as const
      return { tone: 'attention', what, detail: { key: 'scan.order-elsewhere' }, actions: [open] }
    }
    const { orderText } = checkout.cart ?? checkout.voiding
    if (orderText.trim() !== '' && orderText.trim() !== orderId) {
      return { tone: 'attention', what, detail: { key: 'scan.order-open', values: { orderId: orderText.trim() } } }
    }
    await (checkout.cart ?? checkout.voiding).useOrder(orderId)
    return { tone: 'good', what }
  }

  async function lookUp(target: Target): Promise<Outcome> {
    const found = await receiving.open(target)
    return found.ok ? { tone: 'good', ...foundText(found.value) } : lookUpRefusal(found.error)
  }

  function lookUpRefusal(error: AppError): Outcome {
    if (error.code === 'scan/wrong-place' && error.found === 'tag') return belongsInCheckout()
    return refusal(error)
  }

  function belongsInReceiving(found: 'case' | 'package', target: Target): Outcome {
    const run = () => {
      go('receiving')
      void receiving.open(target)
    }
    const error: AppError = { code: 'scan/wrong-place', found, expected: 'tag' }
    const open: StripAction = {
      label: { key: 'scan.open-in-receiving' },
      run,
      isOffered: () => screen() !== 'receiving',
    }
    return refusal(error, [open], 'attention')
  }

  function belongsInCheckout(): Outcome {
    const error: AppError = { code: 'scan/wrong-place', found: 'tag', expected: 'case' }
    const open: StripAction = {
      label: { key: 'scan.go-to-checkout' },
      run: () => go('checkout'),
      isOffered: () => screen() !== 'checkout',
    }
    return refusal(error, [open], 'attention')
  }

  const tagWhileVoiding = (): Outcome => ({
    tone: 'attention',
    what: { key: 'scan.tag-while-voiding' },
    detail: { key: 'scan.tag-while-voiding.detail' },
  })

  /** A text that is no code may still be an order number or a package's own name: a person decides, never we. */
  function unknown(text: string): Outcome {
    return refusal({ code: 'scan/not-a-code', text }, canBeAName(text) ? usesOf(text) : [])
  }

  function usesOf(text: string): StripAction[] {
    const values = { text: shortened(text, longestOnButton) }
    const asPackage: StripAction = {
      label: { key: 'scan.use-as-package', values },
      run: () => void lookUpByHand(text),
      isOffered: () => screen() === 'receiving',
    }
    const asOrder: StripAction = {
      label: { key: 'scan.use-as-order', values },
      run: () => void useOrder(text),
      isOffered: () => screen() === 'checkout' && (checkout.cart ?? checkout.voiding).orderText.trim() === '',
    }
    return [asPackage, asOrder]
  }

  async function lookUpByHand(text: string): Promise<void> {
    const seq = strip.current?.seq
    const outcome = await lookUp({ kind: 'package', packageUid: text })
    if (seq !== undefined) strip.settle(seq, outcome)
  }

  async function useOrder(orderId: string): Promise<void> {
    const seq = strip.current?.seq
    await (checkout.cart ?? checkout.voiding).useOrder(orderId)
    if (seq === undefined) return
    strip.settle(seq, { tone: 'good', what: { key: 'scan.used-as-order', values: { orderId } } })
  }

  /** Says in the strip what failed that is no scan, or did not become one. */
  function announce(error: AppError, detail?: Text): void {
    const unnumbered = { seq: 0, at: new Date().toISOString() }
    const outcome = refusal(error)
    strip.begin(unnumbered, outcome.what)
    strip.settle(unnumbered.seq, { ...outcome, ...(detail && { detail }) })
  }

  return {
    read,
    /**
     * Hands in a text that a wedge typed or a person entered; main numbers it and sends it back as a scan. One that did
     * not get there is refused aloud: nobody looks back at the screen to see that nothing happened.
     */
    async submit(text: string, source: SubmitSource, troubles: WedgeTrouble[] = []): Promise<AppError | null> {
      const answer = await client.call('scanner.submit', { text, source, ...(troubles.length > 0 && { troubles }) })
      if (answer.ok) return null
      announce(answer.error, { key: 'scan.not-taken' })
      return answer.error
    },
    announce,
  }
}

function readText(meaning: Meaning): Text {
  switch (meaning.kind) {
    case 'package':
      return { key: 'scan.read.package', values: { packageUid: meaning.packageUid } }
    case 'case':
      return { key: 'scan.read.case', values: { identifier: shortened(meaning.identifier) } }
    case 'tag':
      return { key: 'scan.read.tag' }
    case 'order':
      return { key: 'scan.used-as-order', values: { orderId: meaning.orderId } }
    case 'gs1':
      return { key: 'scan.gs1' }
    case 'badge':
      return { key: 'scan.badge' }
    case 'action':
      return { key: 'scan.action' }
    case 'unknown':
      return { key: 'scan.read.unknown', values: { text: shortened(meaning.text) } }
    default:
      return assertNever(meaning)
  }
}

function foundText(found: Found): { what: Text; detail: Text } {
  if (found.kind === 'package') {
    const { packageUid, cases } = found.view
    return {
      what: { key: 'scan.found.package', values: { packageUid } },
      detail: { key: 'scan.found.package.detail', values: { count: cases.length } },
    }
  }
  const { view } = found.row
  const products = view?.packagedProducts ?? []
  const name = products[0]?.productName ?? view?.identifier ?? ''
  return {
    what: { key: 'scan.found.case', values: { name, products: products.length } },
    detail: { key: 'scan.found.case.detail', values: { count: view?.tagCount ?? 0 } },
  }
}
