import type { AppStatus, GuideStep, PracticeFault } from '../../src-shared/ipc/contract/app'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import type { Checkout } from '../checkout/checkout.svelte'
import type { Receiving } from '../receiving/receiving.svelte'
import type { ScreenName } from '../shell/screens'

export type ChapterName = 'delivery' | 'sale' | 'outage'

export interface Chapter {
  name: ChapterName
  steps: readonly GuideStep[]
}

export const chapters: readonly Chapter[] = [
  { name: 'delivery', steps: ['package', 'cases', 'pos-ids', 'import'] },
  { name: 'sale', steps: ['checkout', 'items', 'complete', 'void'] },
  { name: 'outage', steps: ['offline', 'saved', 'sent'] },
]

/** The steps done, with `seen` added. A later step of a chapter implies the earlier ones. */
export function withSeen(done: readonly GuideStep[], seen: readonly GuideStep[]): GuideStep[] {
  return chapters.flatMap(({ steps }) => {
    const furthest = Math.max(...seen.map((step) => steps.indexOf(step)), -1)
    return steps.filter((step, index) => index <= furthest || done.includes(step))
  })
}

/** The next step: in the chosen chapter first, then in order; null when all are done. */
export function nextStep(done: readonly GuideStep[], chosen: ChapterName | null): GuideStep | null {
  const inTurn = [...chapters.filter(({ name }) => name === chosen), ...chapters].flatMap(({ steps }) => steps)
  return inTurn.find((step) => !done.includes(step)) ?? null
}

export function chapterOf(step: GuideStep): ChapterName | null {
  return chapters.find(({ steps }) => steps.includes(step))?.name ?? null
}

/** What the guide looks at: the screens as they are, and the switch that takes the network away. */
export interface Looks {
  receiving: Receiving
  checkout: Checkout
  screen: () => ScreenName
  status: () => AppStatus | null
  fault: () => PracticeFault
}

/** The steps that the screens show as done now. */
export function seenOnScreens({ receiving, checkout, screen, status, fault }: Looks, done: GuideStep[]): GuideStep[] {
  const { delivery, product, form } = receiving
  const now = status()
  const isFilledIn = product?.canImport === true && form?.isComplete === true
  const isSent = now !== null && now.connection.state === 'online' && now.unsent === 0 && fault() === 'none'
  const all: [GuideStep, boolean][] = [
    ['package', delivery.packages.length > 0],
    ['cases', delivery.rows.some(({ view }) => view !== null)],
    ['pos-ids', isFilledIn],
    ['checkout', screen() === 'checkout'],
    ['items', checkout.sale.itemCount > 0],
    ['offline', fault() === 'offline'],
    ['sent', isSent && done.includes('saved')],
  ]
  return all.flatMap(([step, isSeen]) => (isSeen ? [step] : []))
}

/** The steps that an operation shows as done. */
export function seenOf({ kind, state }: OperationView, fault: PracticeFault): GuideStep[] {
  const isAccepted = state === 'accepted'
  if (kind === 'import') return isAccepted ? ['import'] : []
  if (kind === 'void') return isAccepted ? ['void'] : []
  if (kind !== 'complete') return []
  if (isAccepted) return ['complete']
  // Undone before it was sent: there is nothing left to void.
  if (state === 'cancelled') return ['void']
  return fault === 'offline' && (state === 'queued' || state === 'unknown') ? ['saved'] : []
}
