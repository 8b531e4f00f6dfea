import type { GuideStep, PracticeCode } from '../../src-shared/ipc/contract/app'
import { assertNever } from '../../src-shared/result'
import type { App } from '../app.svelte'
import type { Text } from '../text/text.svelte'

/** The one button that the guide offers for a step. */
interface NextAction {
  label: Text
  run: () => void
}

/** The name of a code on the printed sheet. */
export const codeName = (code: PracticeCode): string => (code.kind === 'package' ? code.identifier : code.label)

/** The practice code for a step; undefined if it needs none. */
export function codeOf(step: GuideStep, { practice, checkout }: App): PracticeCode | undefined {
  const ordinary = practice.cases.find(({ about }) => about === null)
  const sellable = practice.tags.filter(({ about }) => about === null)
  const inCart = new Set<string>(checkout.sale.lines.flatMap(({ items }) => items.map(({ tagId }) => tagId)))
  const nextOf = (codes: PracticeCode[]) => codes.find(({ identifier }) => !inCart.has(identifier))
  switch (step) {
    case 'package':
      return practice.packages[0]
    case 'cases':
    case 'pos-ids':
      return ordinary
    case 'items':
      return nextOf(sellable.slice(0, 2))
    case 'void':
      return sellable[0]
    case 'saved':
      // Not the items of the first sale: they may still be sold.
      return inCart.size > 0 ? undefined : sellable[2]
    case 'import':
    case 'checkout':
    case 'complete':
    case 'offline':
    case 'sent':
      return undefined
    default:
      return assertNever(step)
  }
}

/** The button for a step: to its screen, then its code or switch; null if the step is done on the screen itself. */
export function nextAction(step: GuideStep, app: App): NextAction | null {
  const way = wayTo(step, app)
  if (way) return way
  if (step === 'offline') return turn(app, 'offline')
  if (step === 'sent') return turn(app, 'none')
  const code = codeOf(step, app)
  if (!code) return null
  return {
    label:
      code.kind === 'package' ? { key: 'guide.scan.package' } : { key: 'guide.scan', values: { code: code.label } },
    run: () => void app.submit(code.text, 'practice'),
  }
}

const turn = (app: App, fault: 'offline' | 'none'): NextAction => ({
  label: { key: fault === 'offline' ? 'guide.go-offline' : 'guide.go-online' },
  run: () => void app.practice.setFault(fault),
})

function wayTo(step: GuideStep, app: App): NextAction | null {
  switch (step) {
    case 'package':
    case 'cases':
    case 'pos-ids':
    case 'import':
      return app.screen === 'receiving'
        ? null
        : { label: { key: 'guide.to-receiving' }, run: () => app.go('receiving') }
    case 'checkout':
    case 'items':
    case 'complete':
    case 'saved':
      return app.screen === 'checkout' && app.checkout.tab === 'sale' ? null : toTab(app, 'sale')
    case 'void':
      return app.screen === 'checkout' && app.checkout.tab === 'void' ? null : toTab(app, 'void')
    case 'offline':
    case 'sent':
      return null
    default:
      return assertNever(step)
  }
}

const toTab = (app: App, tab: 'sale' | 'void'): NextAction => ({
  label: { key: tab === 'sale' ? 'action.go-to-checkout' : 'guide.to-void' },
  run: () => {
    app.go('checkout')
    app.checkout.openTab(tab)
  },
})
