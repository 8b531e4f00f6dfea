import type { ConnectionView } from '../../src-shared/ipc/contract/app'
import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import type {
  CaseState,
  CaseView,
  CertificateWord,
  CoaVerdict,
  Knowledge,
} from '../../src-shared/ipc/contract/receiving'
import type { ReportState } from '../../src-shared/ipc/contract/record'
import { assertNever } from '../../src-shared/result'
import { explain } from '../text/errors'
import { dateOf, isToday } from '../text/moments'
import type { Text } from '../text/text.svelte'
import type { ChipTone } from '../ui/tones'

/** How a state is shown: in colour, icon and words. */
export interface StateChip {
  tone: ChipTone
  text: Text
}

/** The chip of an import state. An import of the day of `now` is shown with its time, others with their date. */
export function chipOf(state: CaseState | ReportState, now: Date): StateChip {
  switch (state.kind) {
    case 'to-import':
      return { tone: 'plain', text: { key: 'import-state.to-import' } }
    case 'pending':
      return pendingChip(state.operation)
    case 'importing-elsewhere':
      return { tone: 'working', text: { key: 'import-state.importing-elsewhere', values: { station: state.station } } }
    case 'imported-here': {
      if (state.station === undefined) return { tone: 'good', text: when('import-state.imported-here', state.at, now) }
      const text = when('import-state.imported-store', state.at, now)
      return { tone: 'good', text: { ...text, values: { ...text.values, station: state.station } } }
    }
    case 'imported-by-company': {
      const text = when('import-state.imported-by-company', state.at, now)
      return { tone: 'attention', text: { ...text, values: { ...text.values, dispensary: state.dispensary } } }
    }
    case 'imported-elsewhere':
      return { tone: 'attention', text: when('import-state.imported-elsewhere', state.at, now) }
    case 'refused':
      return { tone: 'bad', text: refusedText(state.operation) }
    case 'partly': {
      const { imported, total } = state
      return { tone: 'attention', text: { key: 'import-state.partly', values: { imported, total } } }
    }
    case 'unknown':
      return { tone: 'attention', text: { key: 'import-state.unknown' } }
    default:
      return assertNever(state)
  }
}

function pendingChip({ kind, state }: Pick<OperationView, 'kind' | 'state'>): StateChip {
  if (kind === 'import-removal') return { tone: 'working', text: { key: 'import-state.removing' } }
  if (state === 'sending') return { tone: 'working', text: { key: 'import-state.importing' } }
  if (state === 'unknown') return { tone: 'attention', text: { key: 'operation.state.unknown' } }
  return { tone: 'waiting', text: { key: 'import-state.waiting' } }
}

function refusedText({ kind, reason }: Pick<OperationView, 'kind' | 'reason'>): Text {
  if (kind === 'import-removal') return { key: 'import-state.removal-refused' }
  return reason ? explain(reason).what : { key: 'import-state.refused' }
}

type DatedState =
  | 'import-state.imported-here'
  | 'import-state.imported-store'
  | 'import-state.imported-by-company'
  | 'import-state.imported-elsewhere'

/** A text with the time if it was today, the date if it was earlier, neither if it is unknown. */
function when(key: DatedState, at: string | null, now: Date): Text {
  const date = at === null ? undefined : dateOf(at)
  if (!date) return { key }
  return { key: isToday(date, now) ? `${key}.today` : `${key}.earlier`, values: { date } }
}

/** The number of items in a case compared with the required number, in words. */
export function countChip({ tagCount, requiredCount }: Pick<CaseView, 'tagCount' | 'requiredCount'>): StateChip {
  if (requiredCount === null)
    return { tone: 'plain', text: { key: 'receiving.count.any', values: { count: tagCount } } }
  const values = { count: tagCount, required: requiredCount, difference: Math.abs(requiredCount - tagCount) }
  if (tagCount < requiredCount) return { tone: 'attention', text: { key: 'receiving.count.short', values } }
  if (tagCount > requiredCount) return { tone: 'attention', text: { key: 'receiving.count.over', values } }
  return { tone: 'good', text: { key: 'receiving.count.match', values } }
}

const certificateTones: Record<CertificateWord, ChipTone> = {
  passed: 'good',
  'partly-tested': 'attention',
  'no-results': 'attention',
  none: 'attention',
  failed: 'bad',
  expired: 'bad',
}

/** The word for a certificate of analysis, as main decides it. */
export const coaChip = ({ word }: Pick<CoaVerdict, 'word'>): StateChip => ({
  tone: certificateTones[word],
  text: { key: `coa.${word}` },
})

/** What is wrong with the certificates of a case, and of how many of its products; null if nothing is. */
export function caseCoaChip({
  worstCoa,
  packagedProducts,
}: Pick<CaseView, 'worstCoa' | 'packagedProducts'>): StateChip | null {
  const chip = worstCoa && coaChip(worstCoa)
  if (!worstCoa || chip?.tone !== 'bad') return null
  const total = packagedProducts.length
  if (worstCoa.count === total) return chip
  return { ...chip, text: { key: 'coa.of-products', values: { state: chip.text, count: worstCoa.count, total } } }
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
