import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TagId, isShortUuid, parseId, toShortUuid, toUuid } from '../../../src-shared/ids'
import fixture from '../../fixtures/shortuuid.json'

describe('ids', () => {
  it.each(fixture.valid)('converts $uuid to $short and back', ({ uuid, short }) => {
    expect(toShortUuid(uuid)).toBe(short)
    expect(toUuid(short)).toBe(uuid)
  })

  it.each(fixture.invalid)('rejects "%s" as a ShortUUID', (text) => {
    expect(isShortUuid(text)).toBe(false)
    expect(toUuid(text)).toBeUndefined()
    expect(TagId.safeParse(text).success).toBe(false)
  })

  it('converts every UUID to short form and back unchanged', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        expect(toUuid(toShortUuid(uuid) ?? '')).toBe(uuid)
      }),
      { numRuns: 2_000 },
    )
  })

  it('reads a UUID in capitals as the same id', () => {
    const uuid = randomUUID()
    expect(parseId(uuid.toUpperCase())).toBe(toShortUuid(uuid))
  })

  it.each([
    '',
    ' ',
    'not a uuid',
    '9af49740-96f5-40ee-9e25-02420ae5963',
    '9af4974096f540ee9e2502420ae59635',
    'g'.repeat(36),
  ])('rejects "%s" as a UUID', (text) => {
    expect(toShortUuid(text)).toBeUndefined()
    expect(parseId(text)).toBeUndefined()
  })
})
