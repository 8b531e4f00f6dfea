import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import * as refusals from '../../../../src-shared/service/refusals'
import { tag } from '../../../fakes/ids'

/** Each schema with a body from the specification or its companion notes. */
const bodies: [name: keyof typeof refusals, body: unknown][] = [
  ['DetailRefusal', { detail: 'This case has already been scanned for another dispensary.' }],
  ['MessageRefusal', { message: 'This transaction has already been processed.' }],
  [
    'NotImportedRefusal',
    {
      message: 'This transaction contains non-imported TagIDs.',
      non_imported_tagids: [tag(1)],
      valid_transaction: false,
    },
  ],
  ['MalformedTagsRefusal', { items: { 'Invalid TagIDs': ['not a tag'] } }],
  ['UnknownTagsRefusal', { items: { invalid: [], unknown: [tag(1)], valid: [] } }],
  ['ItemsMissingRefusal', ['items should be specified when transaction type is complete or return.']],
  ['FieldsRefusal', { case_uuid: ['This field is required.'] }],
  ['InvalidPayloadRefusal', { status: 'invalid payload', reason: { items: ['Not a list.'] } }],
  ['TokenRefusal', { error: 'unsupported_grant_type', error_description: 'Only client_credentials.' }],
]

/** The additional bodies that a schema accepts, because their shapes include its own. */
const also: Partial<Record<keyof typeof refusals, string[]>> = { MessageRefusal: ['NotImportedRefusal'] }

describe('the bodies of refusals', () => {
  it('each have a test', () => {
    expect(bodies.map(([name]) => name).toSorted()).toEqual(Object.keys(refusals).toSorted())
  })

  it.each(bodies)('%s accepts its own body and the listed ones, and no other', (name, body) => {
    const schema: z.ZodType = refusals[name]
    expect(schema.safeParse(body).data).toEqual(body)
    for (const [other, foreign] of bodies) {
      const isTaken = other === name || also[name]?.includes(other) === true
      expect([other, schema.safeParse(foreign).success]).toEqual([other, isTaken])
    }
    for (const nothing of [null, undefined, '', 'OK', 0, [], { detail: 7 }, [{}]]) {
      expect([nothing, schema.safeParse(nothing).success]).toEqual([nothing, false])
    }
  })
})
