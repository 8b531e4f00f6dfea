import { describe, expect, it } from 'vitest'
import { canReopen } from '../../../../../src-main/counting/cases/count-book'
import type { Differing } from '../../../../../src-main/counting/cases/count-differences'
import { fits } from '../../../../../src-main/counting/cases/count-resolving'
import type { CaseCountRow } from '../../../../../src-main/counting/cases/count-rows'
import { CountId } from '../../../../../src-shared/ids'
import { caseOf } from '../../../../fakes/ids'

const hour = 3_600_000
const day = 24 * hour
/** Noon by this computer's time zone. */
const noon = new Date(2026, 10, 20, 12).getTime()

describe('a count of a delivery', () => {
  const row = (fields: Partial<CaseCountRow>): CaseCountRow => ({
    ...{ seq: 1, id: CountId.parse('5f3c7d3e-7e0b-4d39-9d5b-0f6a5f1c2a11'), deliveryId: null, caseId: null },
    ...{ startedAt: noon, finishedAt: noon, deliveryFinishedAt: null },
    ...fields,
  })
  it.each([
    ['on the day it was finished', {}, noon + hour, false, true],
    ['not on the next day', {}, noon + day, false, false],
    ['not while it is open', { finishedAt: null }, noon, false, false],
    ['not while another one is open', {}, noon, true, false],
    ['not once its delivery is finished', { deliveryFinishedAt: noon }, noon, false, false],
  ])('can be reopened %s', (_, fields, now, isAnyOpen, can) => {
    expect(canReopen(row(fields), { now, isAnyOpen })).toBe(can)
  })
})

describe('a difference', () => {
  const [missing, unexpected] = [
    { kind: 'missing', resolution: 'open', caseId: caseOf(1), operationId: null },
    { kind: 'stranger', resolution: 'open', caseId: null, operationId: null },
  ] as const
  it.each<[string, Differing | null, 'remove' | 'add' | 'ignore' | 'open', boolean, boolean]>([
    ['that is none can not be resolved', null, 'ignore', true, false],
    ['that is open is ignored', missing, 'ignore', true, true],
    ['that is missing is removed from its case', missing, 'remove', true, true],
    ['of another case is not removed from this one', { ...missing, caseId: caseOf(2) }, 'remove', true, false],
    ['that is missing is not added', missing, 'add', true, false],
    ['that is unexpected is added to a counted case', unexpected, 'add', true, true],
    ['that is unexpected is added to no other case', unexpected, 'add', false, false],
    ['that is unexpected is not removed', unexpected, 'remove', true, false],
    ['that is ignored is opened again', { ...missing, resolution: 'ignored' }, 'open', true, true],
    ['that is ignored is not removed', { ...missing, resolution: 'ignored' }, 'remove', true, false],
    ['that is open is not opened again', missing, 'open', true, false],
  ])('%s', (_, found, how, isCounted, does) => {
    expect(fits(found, how, caseOf(1), isCounted)).toBe(does)
  })
})
