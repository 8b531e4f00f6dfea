import { describe, expect, it } from 'vitest'
import { refusalOf } from '../../../../src-main/service/reply'

const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`field${index}`, ['no']]))
const few = Object.fromEntries(Object.entries(many).slice(0, 100))

describe('a refusal of thousands of fields', () => {
  it.each([
    ['at the top', many],
    ['below a reason', { reason: many }],
    ['below a field', { package: many }],
    ['in a list', { package: Array.from({ length: 3_000 }, () => ({ unit: ['no'] })) }],
  ])('is a refusal without fields: %s', (_, value) => {
    expect(refusalOf(400, { kind: 'json', value })).toMatchObject({ code: 'service/refused' })
  })

  it('of a hundred names the first of them', () => {
    const refusal = refusalOf(400, { kind: 'json', value: few })
    expect(refusal).toMatchObject({ code: 'service/invalid-fields', fields: { field0: ['no'] } })
  })
})
