import type {
  ManifestExtra,
  ManifestLine,
  ManifestPackage,
  ManifestState,
  ManifestSums,
} from '../../../src-shared/ipc/contract/manifest'
import { type Text, say, t } from '../../text/text.svelte'
import type { ChipTone } from '../../ui/tones'
import type { StateChip } from '../case-text'

const tones: Record<ManifestState['kind'], ChipTone> = {
  missing: 'plain',
  unread: 'attention',
  here: 'good',
  short: 'bad',
  over: 'attention',
  'other-product': 'bad',
}

/**
 * The state of a line or package. `isOver`: its delivery is, so that what is not here yet is missing. `isProposed`: all that differs
 * in its products is a proposal.
 */
export function stateChip(state: ManifestState, isOver = false, isProposed = false): StateChip {
  const count = 'by' in state ? state.by : 0
  const chip = (kind: keyof typeof tones | 'gone' | 'partly' | 'proposed', tone: ChipTone): StateChip => ({
    tone,
    text: { key: `manifest.state.${kind}`, values: { count } },
  })
  if (state.kind === 'missing' && isOver) return chip('gone', 'bad')
  if (state.kind === 'short' && state.isPartly && !isOver) return chip('partly', 'plain')
  if (state.kind === 'other-product' && isProposed) return chip('proposed', 'attention')
  return chip(state.kind, tones[state.kind])
}

/** All that differs in the products of a package is a proposal. */
export const isPackageProposed = ({ lines }: ManifestPackage): boolean =>
  lines.every((line) => line.state.kind !== 'other-product' || line.proposal !== undefined)

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
    count === null
      ? t('manifest.items.no-count', { count: found })
      : t('count.figure', { counted: found, total: count })
  return isCounted ? t('manifest.counted', { amount }) : amount
}

const extraKinds = ['package', 'case', 'product'] as const

/** "1 package", "1 case": what is extra; a record of an earlier version doesn't say of what kind. */
const extrasOf = ({ extra, extraOf }: ManifestSums): Text[] =>
  extraOf
    ? extraKinds.flatMap((kind) =>
        extraOf[kind] === 0 ? [] : { key: `manifest.kind.${kind}` as const, values: { count: extraOf[kind] } },
      )
    : [{ key: 'figure.whole', values: { count: extra } }]

/** What differs; empty if nothing does. `isOver`: what isn't here yet is missing. */
export function differencesOf(sums: ManifestSums, isOver: boolean): Text[] {
  const { missing, short, partly, over, proposed, otherProduct, unread, extra } = sums
  const all = [
    { kind: isOver ? 'missing' : 'not-yet', count: missing },
    { kind: 'partly', count: isOver ? 0 : partly },
    { kind: 'short', count: isOver ? short + partly : short },
    { kind: 'over', count: over },
    { kind: 'proposed', count: proposed },
    { kind: 'other-product', count: otherProduct },
    { kind: 'unread', count: unread },
  ] as const
  const less = all.flatMap(({ kind, count }) =>
    count === 0 ? [] : { key: `manifest.sum.${kind}` as const, values: { count } },
  )
  return extra === 0 ? less : [...less, { key: 'manifest.sum.extra', values: { what: extrasOf(sums) } }]
}

/** "12 of 14 packages, 2 not here yet, 1 extra". `isOver`: the delivery is. */
export const sumText = (sums: ManifestSums, isOver = false): string =>
  [
    t('manifest.sum', { here: sums.here, total: sums.packages }),
    ...differencesOf(sums, isOver).map((one) => say(one)),
  ].join(', ')

/** Only what is wrong, or everything here, is more than a state on the way. */
export function sumTone({ isComplete, short, otherProduct, ...sums }: ManifestSums): ChipTone {
  if (isComplete) return 'good'
  if (short + otherProduct > 0) return 'bad'
  return sums.over + sums.extra + sums.unread + sums.proposed > 0 ? 'attention' : 'plain'
}

/** What the question says before a delivery is finished; nothing without a manifest. */
export function finishTexts(sums: ManifestSums | undefined): Text[] {
  if (!sums) return []
  if (sums.isComplete) return [{ key: 'manifest.finish.complete' }]
  const all = differencesOf(sums, true)
  const less = all.filter(({ key }) => key !== 'manifest.sum.extra')
  return [
    ...(less.length > 0 ? [{ key: 'manifest.finish' as const, values: { sum: less } }] : []),
    ...(sums.extra > 0 ? [{ key: 'manifest.finish.extra' as const, values: { sum: extrasOf(sums) } }] : []),
  ]
}
