import type {
  ShelfAsOf,
  ShelfCount,
  ShelfDifference,
  ShelfScanResult,
  ShelfScopeView,
} from '../../src-shared/ipc/contract/stock'
import { assertNever } from '../../src-shared/result'
import type { ScanOutcome } from '../scan/strip.svelte'
import { moment, since } from '../text/moments'
import { type Text, t } from '../text/text.svelte'
import type { ChipTone } from '../ui/tones'

export interface Chip {
  tone: ChipTone
  text: Text
}

/** A count that is under way for longer says so, in ms. */
const oldAfter = 24 * 3_600_000

/** Whether a count has been under way for more than a day. Main sends no event when that happens, so the page works it out. */
export const isOld = ({ state, startedAt }: Pick<ShelfCount, 'state' | 'startedAt'>, now: number): boolean =>
  (state === 'counting' || state === 'paused') && now - Date.parse(startedAt) >= oldAfter

const item: Text = { key: 'label.tag' }
export const nameOrItem = (name: string | null): string | Text => name ?? item

/** The result of one scan of a blind count: never whether the item was expected. */
export function scanOutcome(result: ShelfScanResult): ScanOutcome {
  const name = nameOrItem(result.productName)
  switch (result.kind) {
    case 'counted':
      return { tone: 'good', what: { key: 'stock.scan.counted', values: { name } } }
    case 'again':
      return {
        tone: 'attention',
        what: { key: 'stock.scan.again', values: { name } },
        detail:
          result.station === null
            ? since(result.at)
            : { key: 'stock.scan.again.station', values: { at: since(result.at), station: result.station } },
      }
    case 'not-of-count':
      return {
        tone: 'attention',
        what: { key: 'stock.scan.not-of-count', values: { name } },
        detail: { key: 'stock.scan.not-of-count.detail' },
      }
    default:
      return assertNever(result)
  }
}

/** What a count counts, as its title. */
export function scopeText({ kind, names }: ShelfScopeView): Text {
  if (kind === 'sample') return { key: 'stock.scope.sample', values: { count: names.length, names } }
  return { key: `stock.scope.${kind}`, values: { name: names[0] ?? '' } }
}

const stateTones: Record<ShelfCount['state'], ChipTone> = {
  counting: 'working',
  paused: 'waiting',
  finished: 'attention',
  signed: 'good',
  dropped: 'plain',
}

export const stateChip = ({ state, isRecount }: Pick<ShelfCount, 'state' | 'isRecount'>): Chip => ({
  tone: stateTones[state],
  text: { key: state === 'counting' && isRecount ? 'stock.state.recount' : `stock.state.${state}` },
})

/** How current the station's knowledge of its cases is. */
export function asOfText({ cases, unread, oldestAt }: ShelfAsOf): Text {
  if (cases === 0) return { key: 'stock.as-of.none' }
  if (unread > 0 || oldestAt === null) return { key: 'stock.as-of.unread', values: { count: unread, total: cases } }
  return { key: 'stock.as-of', values: { at: moment(oldestAt) } }
}

/** Who scanned how much, if several stations count. `own`: the name of this station. */
export const scannedBy = (stations: ShelfCount['stations'], own = t('store.this')): string =>
  stations.map(({ station, scanned }) => t('count.by', { station: station ?? own, scanned })).join(' · ')

/** What another station signed of the same count; null if that isn't known. */
export function signedTooText(signed: ShelfCount['signedToo']): Text | null {
  if (!signed?.at || !signed.results) return null
  const { found, missing, unexpected } = signed.results
  return { key: 'stock.signed-too.with', values: { at: moment(signed.at), found, missing, unexpected } }
}

/** Why an item was not expected. One whose product is known is no unknown item: `unread`. */
export const whyOf = ({ why, productName }: Pick<ShelfDifference, 'why' | 'productName'>) =>
  (why === 'unknown' || why === null) && productName !== null ? 'unread' : (why ?? 'unknown')

/** What differs, and what is known of why. */
export function differenceChip(difference: ShelfDifference): Chip {
  const { result, hint, orderId } = difference
  const order = orderId === null ? { isNamed: 'no', orderId: '' } : { isNamed: 'yes', orderId }
  if (result === 'unexpected')
    return { tone: 'bad', text: { key: `stock.unexpected.${whyOf(difference)}`, values: order } }
  return hint
    ? { tone: 'attention', text: { key: `stock.missing.${hint}`, values: order } }
    : { tone: 'bad', text: { key: 'stock.result.missing' } }
}

/** 0.974 as "97.4%", never rounded up to 100. */
export function accuracyText(accuracy: number | null): Text {
  if (accuracy === null) return { key: 'stock.accuracy.none' }
  const shown = accuracy < 1 ? Math.min(Math.round(accuracy * 1_000) / 1_000, 0.999) : 1
  return { key: 'stock.accuracy.figure', values: { accuracy: shown } }
}
