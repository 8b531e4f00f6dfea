import { namedTags } from '../../src-shared/errors'
import type { OperationView, OutboxGroup } from '../../src-shared/ipc/contract/outbox'
import type { Refusal } from './refusal.svelte'

/** What a person can do about a report that needs attention; `import-case` leads to the case that a sale was refused for. */
export type OutboxStep = 'confirm' | 'amend' | 'import-case' | 'retry' | 'reopen' | 'dismiss'

/** The same report would be refused again: its items have to change. */
const needsOtherItems = new Set<string>(['service/unknown-tags', 'service/malformed-tags', 'service/items-missing'])
/** The service has it from somewhere else: there is nothing to send. */
const isThereAlready = new Set<string>(['service/already-processed', 'service/already-imported'])

/** The service was read, and shows what the report says: a person only has to agree. */
const showsIt = new Set<string | null>(['sold', 'imported', 'other-time'])

/** The steps that are offered, the one to take first; without those of the items as long as they aren't known. */
export function stepsOf(operation: OperationView, refusal: Refusal | undefined): OutboxStep[] {
  const may = new Set<string>(operation.actions)
  const steps: OutboxStep[] = (['confirm', 'retry', 'reopen', 'dismiss'] as const).filter((step) => may.has(step))
  if (may.has('amend') && refusal?.order) {
    if (refusal.casesToImport.length > 0) steps.unshift('import-case')
    if (refusal.refused.length < operation.itemCount) steps.unshift('amend')
  }
  const first = firstStep(operation, steps)
  return steps.toSorted((a, b) => Number(b === first) - Number(a === first))
}

function firstStep({ reason, note, unsettled }: OperationView, steps: OutboxStep[]): OutboxStep | undefined {
  const code = reason?.code ?? ''
  const wanted: OutboxStep[] = ['amend', 'import-case']
  if (showsIt.has(unsettled?.shown ?? null)) wanted.unshift('confirm')
  if (note === 'taken-back' || needsOtherItems.has(code)) wanted.push('reopen', 'dismiss')
  if (isThereAlready.has(code)) wanted.push('dismiss')
  return [...wanted, 'retry' as const].find((step) => steps.includes(step))
}

/** Whether the items have to be opened first, because the step to take is about them. */
export const opensFirst = ({ actions, reason, itemCount }: OperationView, refusal: Refusal | undefined): boolean =>
  actions.includes('amend') && refusal === undefined && namedTags(reason).length < itemCount

/** What settles a whole group: sent again where that can help, otherwise given up. */
export const groupStep = ({ reason, canRetry, canDismiss, operations }: OutboxGroup): 'retry' | 'dismiss' => {
  const code = reason?.code ?? ''
  const isHopeless = needsOtherItems.has(code) || isThereAlready.has(code) || operations[0]?.note === 'taken-back'
  return canRetry.length > 0 && !(isHopeless && canDismiss.length > 0) ? 'retry' : 'dismiss'
}
