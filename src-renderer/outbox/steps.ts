import { namedTags } from '../../src-shared/errors'
import type { OperationView, OutboxGroup } from '../../src-shared/ipc/contract/outbox'
import { type Refusal, isOfUnimportedCase } from './refusal.svelte'

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
  const steps = plainSteps(operation)
  if (operation.actions.includes('amend') && refusal?.order) {
    if (refusal.casesToImport.length > 0) steps.unshift('import-case')
    if (refusal.refused.length < operation.itemCount) steps.unshift('amend')
  }
  const first = firstStep(operation, steps)
  return steps.toSorted((a, b) => Number(b === first) - Number(a === first))
}

/** The steps that don't depend on the items. */
const plainSteps = ({ actions }: OperationView): OutboxStep[] =>
  (['confirm', 'retry', 'reopen', 'dismiss'] as const).filter((step) => actions.includes(step))

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

/** What settles a whole group, or `review`: each of its reports is put right by itself. */
export type GroupStep = 'amend' | 'import-case' | 'review' | 'retry' | 'dismiss'

/** The step to take about a group: that of its reports. */
export function groupStep({ canAmend, canRetry, canDismiss, operations, casesToImport }: OutboxGroup): GroupStep {
  if (canAmend.operationIds.length > 0) return 'amend'
  const [first, ...others] = new Set(operations.map(stepOfOne))
  if (others.length > 0 || (first === 'import-case' && casesToImport === null)) return 'review'
  if (first === 'import-case' && casesToImport && casesToImport.length > 0) return 'import-case'
  // Sales whose cases were imported since can be sent.
  if ((first === 'retry' || first === 'import-case') && canRetry.length > 0) return 'retry'
  return first === 'dismiss' && canDismiss.length > 0 ? 'dismiss' : 'review'
}

/** The first step of a report's card, before the report's items are looked up. */
function stepOfOne(operation: OperationView): OutboxStep | undefined {
  const steps = plainSteps(operation)
  if (operation.actions.includes('amend') && isOfUnimportedCase(operation)) steps.unshift('import-case')
  return firstStep(operation, steps)
}
