import type { OrderReport } from '../../src-shared/ipc/contract/checkout'
import type { OperationKind, OperationView } from '../../src-shared/ipc/contract/outbox'
import { assertNever } from '../../src-shared/result'
import { operationChip, operationTitle } from '../outbox/operation-text'
import type { OutcomeTone } from '../scan/sounds'
import type { ScanOutcome } from '../scan/strip.svelte'
import type { MessageKey } from '../text/en'
import { explain } from '../text/errors'
import type { Text } from '../text/text.svelte'
import type { ChipTone } from '../ui/tones'

const titles: Partial<Record<OperationKind, { saved: MessageKey; reported: MessageKey }>> = {
  complete: { saved: 'result.saved.complete', reported: 'result.completed' },
  return: { saved: 'result.saved.return', reported: 'result.returned' },
  void: { saved: 'result.saved.void', reported: 'result.voided' },
}

/** What was reported, or is to be: "Order 10482, 6 items". */
export function reportTitle({ operation, word }: OrderReport): Text {
  const keys = titles[operation.kind]
  if (!keys) return operationTitle(operation)
  const values = { orderId: operation.orderId ?? '', count: operation.itemCount }
  // What was noted says that it is reported.
  return { key: word === 'reported' && operation.note === null ? keys.reported : keys.saved, values }
}

/** The present state of the report; null if its title says it. */
export function reportState({ operation, word }: OrderReport): { tone: ChipTone; text: Text | null } {
  switch (word) {
    case 'sending':
      return { tone: 'waiting', text: { key: 'report.sending' } }
    case 'behind':
      return { tone: 'waiting', text: { key: 'result.waits-for', values: { count: operation.waitsFor } } }
    case 'later':
      return { tone: 'waiting', text: { key: 'result.when-connected' } }
    case 'soon':
      return { tone: 'waiting', text: { key: 'report.soon' } }
    case 'again':
      return { tone: 'waiting', text: { key: 'report.again' } }
    case 'unanswered':
      return { tone: 'waiting', text: { key: 'result.no-answer-yet' } }
    case 'refused':
      return { tone: 'bad', text: { key: 'operation.state.rejected' } }
    case 'unclear':
      return { tone: 'attention', text: { key: 'report.unclear' } }
    case 'reported': {
      const chip = operationChip(operation)
      return { ...chip, text: operation.note === null && titles[operation.kind] ? null : chip.text }
    }
    case 'cancelled':
      return operationChip(operation)
    default:
      return assertNever(word)
  }
}

/** Why it was refused or is unclear; null if it is neither. */
export const reportReason = ({ operation, word }: OrderReport): Text | null =>
  (word === 'refused' || word === 'unclear') && operation.reason ? explain(operation.reason).what : null

const sounds: Record<ChipTone, OutcomeTone> = {
  good: 'good',
  working: 'good',
  waiting: 'good',
  plain: 'good',
  attention: 'attention',
  bad: 'bad',
}

/** The state of a report for the strip, after a scan that made the report. Silent: the report itself sounds. */
export function reportOutcome(report: OrderReport): ScanOutcome {
  const { tone, text } = reportState(report)
  const detail = reportReason(report) ?? text
  return {
    tone: sounds[tone],
    what: reportTitle(report),
    ...(detail && { detail }),
    report: report.operation.id,
    isSilent: true,
  }
}

/** The outcome of a report just saved. */
export const savedOutcome = (operation: OperationView): ScanOutcome =>
  reportOutcome({ operation, word: 'sending', isUnseen: false })
