import { type AppError, isUnanswered } from '../../src-shared/errors'
import type { TagId } from '../../src-shared/ids'
import type { HeldOrder } from '../../src-shared/ipc/contract/checkout'
import type { Client } from '../../src-shared/ipc/client'
import type { Meaning, Scan, WedgeTrouble } from '../../src-shared/scan/meaning'
import { assertNever } from '../../src-shared/result'
import type { Checkout } from '../checkout/checkout.svelte'
import { explain, shortened } from '../text/errors'
import type { Text } from '../text/text.svelte'
import type { Find } from '../find/find.svelte'
import type { Orders } from '../orders/orders.svelte'
import { caseCoaChip, chipOf } from '../receiving/case-text'
import type { CaseRow } from '../receiving/delivery.svelte'
import type { Receiving, ScanAddition, Target } from '../receiving/receiving.svelte'
import type { Joining } from '../settings/store/joining.svelte'
import type { Stock } from '../stock/stock.svelte'
import type { ScreenName } from '../shell/screens'
import { createScanActions } from './scan-actions'
import { readText } from './scan-text'
import { type ScanOutcome, type ScanNotice, type ScanStrip, type StripAction, refusal } from './strip.svelte'

/** Order numbers and package names have 1 to 100 characters. */
const canBeAName = (text: string) => text !== '' && text.length <= 100
const longestOnButton = 24
const asPackage = 'scan.use-as-package'

/** How a text gets here; what main reads itself does not. */
export type SubmitSource = Exclude<Scan['source'], 'hid'>

interface ScanReaderParts {
  client: Client
  strip: ScanStrip
  receiving: Receiving
  checkout: Checkout
  /** A scan on its screen looks for an order. */
  orders: Pick<Orders, 'scan'>
  find: Pick<Find, 'scan'>
  joining: Pick<Joining, 'scan'>
  /** A scan on its screen is counted. */
  stock: Pick<Stock, 'scan' | 'scanCase'>
  screen: () => ScreenName
  go: (screen: ScreenName) => void
}

/** Decides what a scan does on the screen in front, and shows its outcome in the strip. */
export function createScanReader(parts: ScanReaderParts) {
  const { client, strip, receiving, checkout, orders, find, joining, stock, screen, go } = parts
  const act = createScanActions({ checkout, receiving, screen })

  async function read(scan: Scan): Promise<void> {
    const { meaning } = scan
    // A further scan means that the order is kept.
    const isAnswer = meaning.kind === 'action' && (meaning.action === 'cancel' || meaning.action === 'complete')
    if (!isAnswer) checkout.dropQuestions()
    const undoLast = strip.current?.undo ?? null
    strip.begin(scan, readText(meaning))
    strip.settle(scan.seq, await outcomeOf(meaning, undoLast))
  }

  async function outcomeOf(meaning: Meaning, undoLast: ScanNotice['undo']): Promise<ScanOutcome> {
    // Which of the two was meant can't be known on any screen.
    if (meaning.kind === 'unknown' && meaning.reason === 'several') return refusal({ code: 'scan/several-codes' })
    // A badge, an action code or a join code means the same on every screen.
    if (screen() === 'find' && meaning.kind !== 'badge' && meaning.kind !== 'action' && meaning.kind !== 'join')
      return find.scan(meaning)
    switch (meaning.kind) {
      case 'join':
        return screen() === 'settings' ? joining.scan() : belongsInSettings()
      case 'package':
        return screen() === 'receiving'
          ? add({ kind: 'package', packageUid: meaning.packageUid })
          : belongsInReceiving('package', { kind: 'package', packageUid: meaning.packageUid })
      case 'case':
        if (screen() === 'stock') return stock.scanCase(meaning.identifier)
        return screen() === 'receiving'
          ? add({ kind: 'case', identifier: meaning.identifier })
          : belongsInReceiving('case', { kind: 'case', identifier: meaning.identifier })
      case 'tag': {
        if (screen() === 'orders') return orders.scan(meaning.tagId)
        if (screen() === 'stock') return stock.scan(meaning.tagId)
        const cart = screen() === 'checkout' ? checkout.cart : null
        if (cart) return checkout.scanItem(cart, meaning.tagId)
        if (screen() === 'receiving' && receiving.counting.isOn) return receiving.counting.scan(meaning.tagId)
        return screen() === 'checkout' ? orderOf(meaning.tagId) : belongsInCheckout()
      }
      case 'order':
        return screen() === 'orders' ? orders.scan(meaning.orderId) : order(meaning.orderId)
      case 'gs1':
        return productCode(meaning.text)
      case 'badge':
        return badge(meaning.badge)
      case 'action':
        return act(meaning.action, undoLast)
      case 'unknown':
        return screen() === 'orders' && canBeAName(meaning.text) ? orders.scan(meaning.text) : unknown(meaning)
      default:
        return assertNever(meaning)
    }
  }

  /**
   * Uses an order number if the tab has none yet: a scan never replaces the number of an order being filled. While voiding
   * it does, because the order is only looked at.
   */
  async function order(orderId: string): Promise<ScanOutcome> {
    const what = { key: 'scan.used-as-order', values: { orderId } } as const
    if (screen() !== 'checkout') {
      return { tone: 'attention', what, detail: { key: 'scan.order-elsewhere' }, actions: [goToCheckout()] }
    }
    const { cart } = checkout
    if (!cart) return orderUsed(orderId)
    const held = checkout.tab === 'sale' ? checkout.held.find(orderId) : undefined
    if (held) return resume(held)
    const another = () => {
      const open = cart.orderText.trim()
      return open === orderId ? '' : open
    }
    // A scan after "complete" is meant for the next order, even while the last one is still being saved.
    if (another() !== '') await cart.finished()
    if (another() !== '') {
      return { tone: 'attention', what, detail: { key: 'scan.order-open', values: { orderId: another() } } }
    }
    return orderUsed(orderId)
  }

  /** Sets the order number of the tab in front. */
  async function orderUsed(orderId: string): Promise<ScanOutcome> {
    const used = await (checkout.cart ?? checkout.voiding).useOrder(orderId)
    if (!used.ok) return refusal(used.error)
    return { tone: 'good', what: { key: 'scan.used-as-order', values: { orderId } } }
  }

  async function resume(held: HeldOrder): Promise<ScanOutcome> {
    const resumed = await checkout.resume(held)
    if (!resumed.ok) return refusal(resumed.error)
    return {
      tone: 'good',
      what: { key: 'scan.resumed', values: { orderId: held.orderId ?? '' } },
      detail: { key: 'checkout.scan.count', values: { count: checkout.sale.itemCount } },
    }
  }

  /** Looks up the order of an item, to void it. */
  async function orderOf(tagId: TagId): Promise<ScanOutcome> {
    const found = await checkout.voiding.useItem(tagId)
    if (!found.ok) return refusal(found.error)
    const { orderId, items } = found.value
    return {
      tone: 'good',
      what: { key: 'scan.void.found', values: { orderId } },
      detail: { key: 'scan.void.found.detail', values: { count: items.length } },
    }
  }

  /** Sets the budtender; main keeps it for the next orders. */
  async function badge(id: string): Promise<ScanOutcome> {
    if (checkout.badgeField) return checkout.badgeField(id)
    if (screen() !== 'checkout') {
      const open = goToCheckout()
      return { tone: 'attention', what: { key: 'scan.badge' }, detail: { key: 'scan.badge.detail' }, actions: [open] }
    }
    const set = await checkout.setBudtender(id)
    if (!set.ok) return refusal(set.error)
    const what = {
      key: 'scan.badge.serves',
      values: { name: (checkout.cart ?? checkout.sale).budtender?.name ?? id },
    } as const
    const { budtenders } = checkout.settings
    // A badge that is not on the list is used, and the strip says so: it may be the code of a receipt.
    const isListed = budtenders.length === 0 || budtenders.some((budtender) => budtender.id === id)
    return isListed ? { tone: 'good', what } : { tone: 'attention', what, detail: { key: 'scan.badge.unlisted' } }
  }

  async function add(target: Target): Promise<ScanOutcome> {
    const found = await receiving.add(target)
    return found.ok ? foundOutcome(found.value, receiving) : addRefusal(target, found.error)
  }

  function addRefusal(target: Target, error: AppError): ScanOutcome {
    if (error.code === 'scan/wrong-place' && error.found === 'tag') return belongsInCheckout()
    if (target.kind === 'case' && isUnanswered(error))
      return { tone: 'attention', what: { key: 'scan.unseen-case' }, detail: { key: 'scan.unseen-case.detail' } }
    if (error.code !== 'receiving/unknown-package') return refusal(error)
    const anyway: StripAction = {
      label: { key: 'scan.add-anyway' },
      run: () => void strip.act(() => add(meant(error.packageUid))),
      isOffered: () => screen() === 'receiving',
    }
    return refusal(error, [anyway])
  }

  /** Adds a package of which the service knows no cases, with a notice of its own in the strip. */
  async function addAnyway(packageUid: string): Promise<void> {
    const unnumbered = { seq: 0, at: new Date().toISOString() }
    strip.begin(unnumbered, { key: 'scan.read.package', values: { packageUid } })
    strip.settle(unnumbered.seq, await add(meant(packageUid)))
  }

  function belongsInReceiving(found: 'case' | 'package', target: Target): ScanOutcome {
    const run = () => {
      go('receiving')
      void strip.act(() => add(target))
    }
    const error: AppError = { code: 'scan/wrong-place', found, expected: 'tag' }
    const open: StripAction = {
      label: { key: 'scan.open-in-receiving' },
      run,
      isOffered: () => screen() !== 'receiving',
    }
    return refusal(error, [open], 'attention')
  }

  function belongsInCheckout(): ScanOutcome {
    const error: AppError = { code: 'scan/wrong-place', found: 'tag', expected: 'case' }
    return refusal(error, [goToCheckout()], 'attention')
  }

  function belongsInSettings(): ScanOutcome {
    const open: StripAction = {
      label: { key: 'scan.open-settings' },
      run: () => go('settings'),
      isOffered: () => screen() !== 'settings',
    }
    return { tone: 'attention', what: { key: 'scan.join' }, detail: { key: 'scan.join.elsewhere' }, actions: [open] }
  }

  const goToCheckout = (): StripAction => ({
    label: { key: 'scan.go-to-checkout' },
    run: () => go('checkout'),
    isOffered: () => screen() !== 'checkout',
  })

  /** An unrecognized text may be an order number or a package name: a person decides. */
  function unknown({ text, reason }: Extract<Meaning, { kind: 'unknown' }>): ScanOutcome | Promise<ScanOutcome> {
    // A badge is any text: one that is on the list needs no prefix.
    if (screen() === 'checkout' && checkout.settings.budtenders.some(({ id }) => id === text)) return badge(text)
    const isName = canBeAName(text) && reason !== 'damaged'
    return refusal({ code: 'scan/not-a-code', text }, isName ? usesOf(text) : [])
  }

  /** A product's barcode; digits alone may also be an order number or a badge of this store. */
  async function productCode(text: string): Promise<ScanOutcome> {
    const outcome = { tone: 'attention', what: { key: 'scan.gs1' }, detail: { key: 'scan.gs1.detail' } } as const
    if (!/^\d+$/.test(text)) return outcome
    if (screen() === 'checkout' && checkout.settings.budtenders.some(({ id }) => id === text)) return badge(text)
    if (screen() !== 'orders')
      return { ...outcome, actions: usesOf(text).filter(({ label }) => label.key !== asPackage) }
    const found = await orders.scan(text)
    return found.tone === 'good' ? found : outcome
  }

  function usesOf(text: string): StripAction[] {
    const values = { text: shortened(text, longestOnButton) }
    const toPackage: StripAction = {
      label: { key: asPackage, values },
      run: () => void addByHand(text),
      isOffered: () => screen() === 'receiving',
    }
    const asOrder: StripAction = {
      label: { key: 'scan.use-as-order', values },
      run: () => void useOrder(text),
      isOffered: () => screen() === 'checkout' && (checkout.cart === null || checkout.cart.orderText.trim() === ''),
    }
    const asBadge: StripAction = {
      label: { key: 'scan.use-as-badge', values },
      run: () => {
        const outcome = checkout.badgeField?.(text)
        if (outcome && strip.current) strip.settle(strip.current.seq, outcome)
      },
      isOffered: () => checkout.badgeField !== null,
    }
    return [toPackage, asOrder, asBadge]
  }

  async function addByHand(text: string): Promise<void> {
    await strip.act(() => add({ kind: 'package', packageUid: text }))
  }

  async function useOrder(orderId: string): Promise<void> {
    const held = checkout.tab === 'sale' ? checkout.held.find(orderId) : undefined
    await strip.act(() => (held ? resume(held) : orderUsed(orderId)))
  }

  /** Shows in the strip a failure that belongs to no scan. */
  function announce(error: AppError, detail?: Text): void {
    const unnumbered = { seq: 0, at: new Date().toISOString() }
    const outcome = refusal(error)
    strip.begin(unnumbered, outcome.what)
    strip.settle(unnumbered.seq, { ...outcome, ...(detail && { detail }) })
  }

  return {
    read,
    /**
     * Submits a text that a scanner typed or a person entered; main numbers it and sends it back as a scan. If main
     * can't be reached, the strip and the sound say so.
     */
    async submit(text: string, source: SubmitSource, troubles: WedgeTrouble[] = []): Promise<AppError | null> {
      const answer = await client.call('scanner.submit', { text, source, ...(troubles.length > 0 && { troubles }) })
      if (answer.ok) return null
      announce(answer.error, { key: 'scan.not-taken' })
      return answer.error
    },
    announce,
    addAnyway,
  }
}

const meant = (packageUid: string): Target => ({ kind: 'package', packageUid, isMeant: true })

type CaseOutcome = Pick<ScanOutcome, 'tone' | 'what' | 'detail'>

/** What the strip says of a package or case that a scan added to the delivery. */
function foundOutcome(found: ScanAddition, receiving: Receiving): ScanOutcome {
  return { ...told(found, receiving), ...(found.isNew && { undo: () => dropped(found, receiving) }) }
}

function told(found: ScanAddition, { delivery }: Receiving): CaseOutcome {
  if (found.kind === 'package') {
    const { packageUid } = found
    const { knowledge = null, error = null } = delivery.packages.find((one) => one.packageUid === packageUid) ?? {}
    const what = { key: 'operation.package', values: { packageUid } } as const
    if (!knowledge) {
      return { tone: 'attention', what, detail: error ? explain(error).what : { key: 'scan.found.package.unseen' } }
    }
    return { what, ...toldOfCases(found.caseIds.map((caseId) => delivery.row(caseId))) }
  }
  return toldOfCase(delivery.row(found.caseId))
}

/** What all cases of a package come to. Those that are not read yet may be as they should. */
function toldOfCases(rows: (CaseRow | undefined)[]): Pick<CaseOutcome, 'tone' | 'detail'> {
  const count = rows.length
  const outcomes = rows.map((row) => (row?.view ? toldOfCase(row) : null))
  const tones = outcomes.map((outcome) => outcome?.tone ?? 'good')
  const isAnyGood = tones.includes('good')
  // The service answers in the same way about a package that doesn't exist and about one of another store.
  if (count === 0 || isAnyGood) {
    return { tone: isAnyGood ? 'good' : 'attention', detail: { key: 'scan.found.package.detail', values: { count } } }
  }
  const [only, ...others] = outcomes
  const detail = others.length === 0 ? only?.detail : ({ key: 'scan.found.package.none', values: { count } } as const)
  return { tone: tones.every((tone) => tone === 'bad') ? 'bad' : 'attention', ...(detail && { detail }) }
}

function toldOfCase(row: CaseRow | undefined): CaseOutcome {
  if (!row?.view) {
    return { tone: 'attention', what: row?.error ? explain(row.error).what : { key: 'scan.found.case.unread' } }
  }
  const { view, importState } = row
  const products = view.packagedProducts
  const name = products[0]?.productName ?? view.identifier
  const what = { key: 'scan.found.case', values: { name, products: products.length } } as const
  // Another sound for a case that can't be imported: staff often only listen.
  if (products.length === 0) return { tone: 'attention', what, detail: { key: 'receiving.no-product' } }
  if (!products.some((product) => product.canImport))
    return { tone: 'attention', what, detail: chipOf(importState, new Date()).text }
  const certificate = caseCoaChip(view)
  if (certificate) return { tone: 'bad', what, detail: certificate.text }
  return { tone: 'good', what, detail: { key: 'scan.found.case.detail', values: { count: view.tagCount } } }
}

async function dropped(found: ScanAddition, { steps }: Receiving): Promise<ScanOutcome> {
  const error = await (found.kind === 'package' ? steps.dropPackage(found.packageUid) : steps.dropCase(found.caseId))
  if (error) return { tone: 'bad', what: explain(error).what, detail: explain(error).means }
  return { tone: 'good', what: { key: 'scan.dropped' } }
}
