import type { Reason, Verdict, VerdictRule } from '../../src-shared/verdict'
import type { OutcomeTone } from '../scan/sounds'
import type { MessageKey } from '../text/en'
import { dateOf, moment } from '../text/moments'
import type { Text } from '../text/text.svelte'
import type { ChipTone } from '../ui/tones'

/** The words of a verdict with all its reasons, the same on every screen. What is only remembered says as of when. */
export function verdictText(verdict: Verdict): Text {
  const words = verdict.also.reduce<Text>(
    (before, one) => ({ key: 'verdict.and', values: { verdict: before, other: plainText(one) } }),
    plainText(verdict),
  )
  return verdict.asOf === null ? words : { key: 'verdict.as-of', values: { verdict: words, at: moment(verdict.asOf) } }
}

function plainText({ kind, past, orderId, dispensary, at }: Reason): Text {
  switch (kind) {
    case 'sellable':
      return { key: past === null ? 'verdict.sellable' : `verdict.sellable.${past}` }
    case 'returnable':
      return orderId === null ? { key: 'verdict.sold.elsewhere' } : { key: 'verdict.sold', values: { orderId } }
    case 'sold':
    case 'in-open-order':
      return orderId === null ? { key: `verdict.${kind}.elsewhere` } : { key: `verdict.${kind}`, values: { orderId } }
    case 'refused-order':
      return { key: `verdict.${kind}`, values: { orderId: orderId ?? '' } }
    case 'sister-store':
      return { key: `verdict.${kind}`, values: { dispensary: dispensary ?? '' } }
    case 'certificate-expired':
    case 'past-use-by': {
      const date = dateOf((at ?? '').slice(0, 10))
      return date ? { key: `verdict.${kind}.on`, values: { date } } : { key: `verdict.${kind}` }
    }
    case 'looking':
    case 'unchecked':
    case 'other-company':
    case 'not-imported':
    case 'removed-from-case':
    case 'certificate-failed':
    case 'product-unpublished':
    case 'counterfeit':
    case 'unknown':
    case 'not-sold':
    case 'sale-unknown':
      return { key: `verdict.${kind}` }
  }
}

/** The name of what a rule of the counter is about. */
export function ruleKey(rule: VerdictRule): MessageKey {
  if (rule === 'sold') return 'verdict.sold.elsewhere'
  return rule === 'sister-store' || rule === 'not-sold' ? `settings.levels.rule.${rule}` : `verdict.${rule}`
}

export function verdictTone({ kind, level }: Verdict): ChipTone {
  if (kind === 'looking') return 'working'
  return level === 'ok' ? 'good' : level === 'warn' ? 'attention' : 'bad'
}

/** The sound of a scan. What can still be fixed sounds like a warning. */
export function verdictSound({ level }: Verdict): OutcomeTone {
  return level === 'ok' ? 'good' : level === 'warn' ? 'attention' : 'bad'
}

/** Whether the cart says something about an item, besides that it is there: also as of when it is known to be sellable. */
export const isNoted = ({ kind, asOf }: Verdict): boolean =>
  kind !== 'returnable' && (kind !== 'sellable' || asOf !== null)
