import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { LongCaseId, LongTagId, LongUuid, wireUuid } from '../../../../src-shared/service/wire'
import { tag } from '../../../fakes/ids'
import { long } from '../../../fixtures/wire'

describe('the conversion between the two forms of ids', () => {
  it('converts every UUID both ways unchanged', () => {
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.constantFrom(LongUuid, LongTagId, LongCaseId),
        (uuid, codec: z.ZodType<string, string>) => {
          const inside = codec.parse(uuid)
          expect(inside).toHaveLength(22)
          expect(z.encode(codec, inside)).toBe(uuid)
          expect(wireUuid(inside)).toBe(uuid)
        },
      ),
    )
  })

  it.each(['', 'x', tag(1), `${long.tag(1)} `, 'g'.repeat(36), 7, null])('refuses %s', (value) => {
    expect(LongUuid.safeParse(value).success).toBe(false)
  })

  it('writes either form as a UUID in lower case, and refuses any other id', () => {
    expect(wireUuid(long.tag(1).toUpperCase())).toBe(long.tag(1))
    expect(() => wireUuid('HF 2026/1')).toThrow('Not an id')
  })

  it('is described as a UUID in both directions', () => {
    for (const io of ['input', 'output'] as const) {
      expect(z.toJSONSchema(LongTagId, { io })).toMatchObject({ type: 'string', format: 'uuid' })
    }
  })
})
