import type { ConnectionView } from '../../src-shared/ipc/contract/app'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import type { CaseView, CoaVerdict, Knowledge } from '../../src-shared/ipc/contract/receiving'
import type { ChipTone } from '../ui/tones'
import { dateOf } from '../text/moments'
import type { Text } from '../text/text.svelte'
import type { StateChip } from './import-state'

/** The number of items in a case compared with the required number, in words. */
export function countChip({ tagCount, requiredCount }: Pick<CaseView, 'tagCount' | 'requiredCount'>): StateChip {
  if (requiredCount === null)
    return { tone: 'plain', text: { key: 'receiving.count.any', values: { count: tagCount } } }
  const values = { count: tagCount, required: requiredCount, difference: Math.abs(requiredCount - tagCount) }
  if (tagCount < requiredCount) return { tone: 'attention', text: { key: 'receiving.count.short', values } }
  if (tagCount > requiredCount) return { tone: 'attention', text: { key: 'receiving.count.over', values } }
  return { tone: 'good', text: { key: 'receiving.count.match', values } }
}

const verdictTones: Record<CoaVerdict['verdict'], ChipTone> = {
  passed: 'good',
  'partly-tested': 'attention',
  failed: 'bad',
  none: 'attention',
}

/** The verdict of the certificate of analysis; an expired certificate never counts as good. */
export function coaChip({ verdict, isExpired }: CoaVerdict): StateChip {
  if (isExpired && verdict !== 'none') return { tone: 'bad', text: { key: 'coa.expired' } }
  return { tone: verdictTones[verdict], text: { key: `coa.${verdict}` } }
}

/** When the certificate expires or has expired. */
export function coaExpiry({ expiresOn, isExpired }: CoaVerdict): Text | null {
  const date = expiresOn === null ? undefined : dateOf(expiresOn)
  if (!date) return null
  return { key: isExpired ? 'coa.expired-on' : 'coa.expires-on', values: { date } }
}

/** The age of a stored answer, and why there is no newer one. */
export const knowledgeText = (knowledge: Knowledge, connection: ConnectionView['state'] | undefined): Text => ({
  key: connection === 'unreachable' ? 'receiving.stored.unreachable' : 'receiving.stored',
  values: { at: new Date(knowledge.knownAt) },
})

/** The scanned code of a case that was never read. */
export const scannedIn = ({ productName, caseId }: OperationView): string | null => productName ?? caseId
