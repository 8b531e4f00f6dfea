import type {
  ManifestExtra,
  ManifestLine,
  ManifestState,
  ManifestSums,
} from '../../../src-shared/ipc/contract/manifest'
import { type Text, say, t } from '../../text/text.svelte'
import type { ChipTone } from '../../ui/tones'
import type { StateChip } from '../case-text'

const tones: Record<ManifestState['kind'], ChipTone> = {
  missing: 'waiting',
  unread: 'attention',
  here: 'good',
  short: 'bad',
  over: 'attention',
  'other-product': 'bad',
}

/** The state of a line or package. `isOver`: its delivery is, so that what is not here yet is missing. */
export function stateChip(state: ManifestState, isOver = false): StateChip {
  const count = 'by' in state ? state.by : 0
  const kind = isOver && state.kind === 'missing' ? 'gone' : state.kind
  return { tone: tones[state.kind], text: { key: `manifest.state.${kind}`, values: { count } } }
}

/** What a manifest says of a line's product: its name, or what else it gives. */
export function nameOfLine({ productName, sku, posProductId }: ManifestLine): string {
  if (productName !== null) return productName
  if (sku !== null) return t('history.sku', { sku })
  return posProductId === null ? t('manifest.any-product') : t('history.pos-product', { id: posProductId })
}

export function nameOfExtra(extra: ManifestExtra): string {
  if (extra.kind === 'package') return extra.packageUid
  return extra.productName ?? t('report.not-read')
}

/** How many items of how many: "22 of 24, counted". */
export function amountOf({ found, count, isCounted }: ManifestLine): string {
  if (found === null) return count === null ? t('manifest.no-count') : t('manifest.expected', { count })
  const amount =
    count === null ? t('manifest.items', { count: found }) : t('count.figure', { counted: found, total: count })
  return isCounted ? t('manifest.counted', { amount }) : amount
}

/** What differs; empty if nothing does. */
export function differencesOf({ missing, short, over, otherProduct, unread, extra }: ManifestSums): Text[] {
  const all = [
    { kind: 'missing', count: missing },
    { kind: 'short', count: short },
    { kind: 'over', count: over },
    { kind: 'other-product', count: otherProduct },
    { kind: 'unread', count: unread },
    { kind: 'extra', count: extra },
  ] as const
  return all.flatMap(({ kind, count }) =>
    count === 0 ? [] : { key: `manifest.sum.${kind}` as const, values: { count } },
  )
}

/** "12 of 14 packages, 2 missing, 1 extra". */
export const sumText = (sums: ManifestSums): string =>
  [t('manifest.sum', { here: sums.here, total: sums.packages }), ...differencesOf(sums).map((one) => say(one))].join(
    ', ',
  )

/** Only what is wrong, or everything here, is more than a state on the way. */
export function sumTone({ isComplete, short, otherProduct, over, extra, unread }: ManifestSums): ChipTone {
  if (isComplete) return 'good'
  if (short + otherProduct > 0) return 'bad'
  return over + extra + unread > 0 ? 'attention' : 'plain'
}

/** What the question says before a delivery is finished; nothing without a manifest. */
export function finishTexts(sums: ManifestSums | undefined): Text[] {
  if (!sums) return []
  if (sums.isComplete) return [{ key: 'manifest.finish.complete' }]
  const all = differencesOf(sums)
  const extra = all.filter(({ key }) => key === 'manifest.sum.extra')
  const less = all.filter(({ key }) => key !== 'manifest.sum.extra')
  return [
    ...(less.length > 0 ? [{ key: 'manifest.finish' as const, values: { sum: less } }] : []),
    ...(extra.length > 0 ? [{ key: 'manifest.finish.extra' as const, values: { sum: extra } }] : []),
  ]
}
