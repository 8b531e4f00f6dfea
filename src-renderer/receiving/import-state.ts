import type { OperationView } from '../../src-shared/ipc/contract/outbox'
import type { CaseState } from '../../src-shared/ipc/contract/receiving'
import { assertNever } from '../../src-shared/result'
import type { ChipTone } from '../ui/tones'
import { dateOf, isToday } from '../text/moments'
import { explain } from '../text/errors'
import type { Text } from '../text/text.svelte'

/** How a state is shown: in colour, icon and words. */
export interface StateChip {
  tone: ChipTone
  text: Text
}

/** The chip of an import state. An import of the day of `now` is shown with its time, others with their date. */
export function chipOf(state: CaseState, now: Date): StateChip {
  switch (state.kind) {
    case 'to-import':
      return { tone: 'plain', text: { key: 'import-state.to-import' } }
    case 'pending':
      return pendingChip(state.operation)
    case 'imported-here':
      return { tone: 'good', text: when('import-state.imported-here', state.at, now) }
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

function pendingChip({ kind, state }: OperationView): StateChip {
  if (kind === 'import-removal') return { tone: 'working', text: { key: 'import-state.removing' } }
  if (state === 'sending') return { tone: 'working', text: { key: 'import-state.importing' } }
  if (state === 'unknown') return { tone: 'attention', text: { key: 'import-state.no-answer' } }
  return { tone: 'waiting', text: { key: 'import-state.waiting' } }
}

function refusedText({ kind, reason }: OperationView): Text {
  if (kind === 'import-removal') return { key: 'import-state.removal-refused' }
  return reason ? explain(reason).what : { key: 'import-state.refused' }
}

type DatedState = 'import-state.imported-here' | 'import-state.imported-by-company' | 'import-state.imported-elsewhere'

/** A text with the time if it was today, the date if it was earlier, neither if it is unknown. */
function when(key: DatedState, at: string | null, now: Date): Text {
  const date = at === null ? undefined : dateOf(at)
  if (!date) return { key }
  return { key: isToday(date, now) ? `${key}.today` : `${key}.earlier`, values: { date } }
}
