import { describe, expect, it } from 'vitest'
import type { AppError } from '../../../src-shared/errors'
import type { OperationView, OutboxGroup, Shown } from '../../../src-shared/ipc/contract/outbox'
import { groupWhy, takenBackText, usualReasons } from '../../../src-renderer/outbox/operation-text'
import { groupStep, opensFirst, stepsOf } from '../../../src-renderer/outbox/steps'
import { explain } from '../../../src-renderer/text/errors'
import { say } from '../../../src-renderer/text/text.svelte'
import { caseOf, tag } from '../../fakes/ids'
import { operation } from './examples'

const notImported: AppError = { code: 'service/not-imported', tagIds: [tag(1)] }
const refused = (fields: Partial<OperationView> = {}) =>
  operation({ state: 'rejected', actions: ['retry', 'reopen', 'dismiss'], reason: notImported, ...fields })
const groupOf = (fields: Partial<OperationView> = {}): OutboxGroup => {
  const one = refused(fields)
  const ids = [one.id]
  const { reason } = one
  return {
    key: 'cause',
    count: 2,
    reason,
    isSameReason: true,
    isOneSubject: true,
    operations: [one],
    canRetry: ids,
    canDismiss: ids,
    canAmend: { operationIds: [], without: [] },
    casesToImport: null,
  }
}
const unknown: AppError = { code: 'service/unknown-tags', tagIds: [tag(1)], invalid: [] }

describe('the first step of a card', () => {
  it('is to send it again, unless that can’t help', () => {
    expect(stepsOf(refused(), undefined)).toEqual(['retry', 'reopen', 'dismiss'])
    expect(stepsOf(refused({ reason: unknown }), undefined)[0]).toBe('reopen')
    const already = { code: 'service/already-processed', detail: '' } as const
    expect(stepsOf(refused({ reason: already }), undefined)[0]).toBe('dismiss')
  })

  it('is the cart for an order that was taken back', () => {
    const takenBack = operation({ state: 'cancelled', note: 'taken-back', actions: ['reopen', 'dismiss'] })
    expect(stepsOf(takenBack, undefined)).toEqual(['reopen', 'dismiss'])
  })

  it('is to agree only if the service shows what was reported, and otherwise to send it again, which reads first', () => {
    const doubt = (shown: Shown | null) =>
      stepsOf(refused({ unsettled: { shown }, actions: ['confirm', 'retry', 'dismiss'] }), undefined)[0]
    for (const shown of ['sold', 'imported', 'other-time'] as const) expect(doubt(shown)).toBe('confirm')
    for (const shown of ['free', 'not-imported', 'as-before', 'nothing', 'part', null] as const)
      expect(doubt(shown)).toBe('retry')
  })

  it('is to open the items where some of them can be taken out', () => {
    const actions: OperationView['actions'] = ['retry', 'amend', 'dismiss']
    expect(opensFirst(refused({ actions, itemCount: 2 }), undefined)).toBe(true)
    expect(opensFirst(refused({ actions, itemCount: 1 }), undefined)).toBe(false)
  })
})

describe('the first step of a group', () => {
  const already = { code: 'service/already-processed', detail: '' } as const

  it('is that of its reports: sent again, or dismissed where the service has them', () => {
    expect(groupStep(groupOf())).toBe('retry')
    expect(groupStep(groupOf({ reason: already }))).toBe('dismiss')
  })

  it('is to take items out where something is left of the orders, not to dismiss these', () => {
    const group = groupOf({ reason: unknown, itemCount: 2, actions: ['retry', 'reopen', 'amend', 'dismiss'] })
    const without = [{ tagId: tag(1), productName: null }]
    const canAmend = { operationIds: group.canDismiss, without }
    expect(groupStep({ ...group, canAmend })).toBe('amend')
  })

  it('is to go through the reports where each is put right by itself', () => {
    const amendable: OperationView['actions'] = ['retry', 'reopen', 'amend', 'dismiss']
    expect(groupStep(groupOf({ reason: unknown, actions: amendable }))).toBe('review')
    const takenBack = { state: 'cancelled', note: 'taken-back', actions: ['reopen', 'dismiss'] } as const
    expect(groupStep(groupOf({ ...takenBack, actions: [...takenBack.actions] }))).toBe('review')
    const doubt = { unsettled: { shown: 'sold' }, actions: ['confirm', 'retry', 'dismiss'] } as const
    expect(groupStep(groupOf({ ...doubt, actions: [...doubt.actions] }))).toBe('review')
    const [one, other] = [refused({ reason: already }), refused({ reason: already, note: 'taken-back' })]
    const mixed = { ...groupOf({ reason: already }), operations: [one, { ...other, reason: unknown }] }
    expect(groupStep(mixed)).toBe('review')
  })

  it('is to import the cases that sales were refused for, where they are known, and to send these again after that', () => {
    const sales = groupOf({ actions: ['retry', 'reopen', 'amend', 'dismiss'] })
    expect(groupStep(sales)).toBe('review')
    expect(groupStep({ ...sales, casesToImport: [caseOf(1), caseOf(2)] })).toBe('import-case')
    expect(groupStep({ ...sales, casesToImport: [] })).toBe('retry')
  })
})

describe('advice', () => {
  const next = (kind: OperationView['kind']) => say(explain(notImported, kind).next)

  it('is about the kind of report that was refused', () => {
    expect(next('complete')).toContain('change the order and sell it without these items')
    expect(next('return')).toBe('Check that these items were sold here, and return the others without them.')
    expect(next('void')).toContain('Check the order in the POS.')
    const already = { code: 'service/already-processed', detail: '' } as const
    expect(say(explain(already, 'import').next)).toBe(
      'Look at the case in Receiving. If it is right there, dismiss this report.',
    )
    expect(say(explain(already, 'return').next)).toContain('Check the return in the POS.')
    const missing = { missing: [], itemCount: 0 }
    const takenBack = (kind: OperationView['kind']) =>
      takenBackText(operation({ state: 'cancelled', note: 'taken-back', kind, ...missing }))
    const [sale, back] = [takenBack('complete'), takenBack('return')]
    expect(sale && say(sale)).toContain('complete the order')
    expect(back && say(back)).toContain('complete the return')
  })

  it('stands on the card of a group, but for reports in doubt', () => {
    const { next: advice } = groupWhy(groupOf({ kind: 'return' }))
    expect(advice && say(advice)).toContain('return the others')
    expect(groupWhy(groupOf({ unsettled: { shown: null } })).next).toBeNull()
  })

  it('offers the usual reasons of the kind', () => {
    expect(usualReasons('complete')).toContain('Corrected in the POS')
    expect(usualReasons('import')).not.toContain('Corrected in the POS')
    expect(usualReasons('return', true)).toContain('Did not come back')
  })
})
