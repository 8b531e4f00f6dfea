import type { z } from 'zod'
import {
  DetailRefusal,
  FieldsRefusal,
  ItemsMissingRefusal,
  MalformedTagsRefusal,
  MessageRefusal,
  NotImportedRefusal,
  UnknownTagsRefusal,
} from '../../src-shared/service/refusals'
import { short } from './examples/catalogue'
import { isPaged, type Operation } from './operations'
import { anyOf } from './schemas'

/** One named example for each body of a refusal. Spec: Errors. */
export const refusalExamples = new Map<z.ZodType, { name: string; value: unknown }>([
  [DetailRefusal, { name: 'detail', value: { detail: 'Not found.' } }],
  [FieldsRefusal, { name: 'fields', value: { case_uuid: ['This field is required.'] } }],
  [MessageRefusal, { name: 'alreadyProcessed', value: { message: 'This transaction has already been processed.' } }],
  [
    NotImportedRefusal,
    {
      name: 'notImported',
      value: {
        message: 'This transaction contains non-imported TagIDs.',
        non_imported_tagids: [short('tag')],
        valid_transaction: false,
      },
    },
  ],
  [MalformedTagsRefusal, { name: 'malformedTagIds', value: { items: { 'Invalid TagIDs': ['no id'] } } }],
  [
    UnknownTagsRefusal,
    { name: 'unknownTagIds', value: { items: { invalid: [], unknown: [short('tag')], valid: [] } } },
  ],
  [
    ItemsMissingRefusal,
    { name: 'itemsMissing', value: ['items should be specified when transaction type is complete or return.'] },
  ],
])

/** A kind of refusal: its description and its bodies (an empty list: no body). Spec: Errors. */
interface Refused {
  description: string
  bodies: readonly z.ZodType[]
  headers?: Record<string, string>
  /** An example of `{detail}`. */
  detail?: string
}

const fields = [FieldsRefusal, DetailRefusal]
const withTags = [ItemsMissingRefusal, MalformedTagsRefusal, UnknownTagsRefusal, MessageRefusal, ...fields]
const detail = [DetailRefusal]
const retry = { 'Retry-After': 'Seconds to wait, or a date.' }

/** All kinds of refusals, by the name under which the document describes them. */
export const refusals = {
  BadRequest: {
    description: 'A field or a rule is broken, or the body is no JSON.',
    bodies: fields,
    detail: 'JSON parse error - Unexpected end of JSON input',
  },
  BadComplete: { description: 'The sale is refused.', bodies: [NotImportedRefusal, ...withTags] },
  BadReturn: { description: 'The return is refused.', bodies: withTags },
  BadVoid: { description: 'The void is refused.', bodies: [MessageRefusal, ...fields] },
  BadTagIds: {
    description: 'TagIDs are malformed or unknown, or the body is no list.',
    bodies: [MalformedTagsRefusal, UnknownTagsRefusal, ...fields],
  },
  AgainstTheRules: { description: 'A rule forbids it.', bodies: fields, detail: 'This product has TagIDs.' },
  Unauthorized: {
    description: 'No access token, or one that is unknown or expired.',
    bodies: [],
    headers: { 'WWW-Authenticate': 'The scheme: Bearer.' },
  },
  Forbidden: {
    description: 'The account’s company, brand or product may not.',
    bodies: detail,
    detail: 'You do not have permission to perform this action.',
  },
  NotFound: { description: 'Not found.', bodies: detail },
  MethodNotAllowed: {
    description: 'The path has no such method.',
    bodies: detail,
    detail: 'Method "PUT" not allowed.',
    headers: { Allow: 'The methods it has.' },
  },
  TooLarge: {
    description: 'The body is too large.',
    bodies: detail,
    detail: 'The request is larger than 1000000 bytes.',
  },
  UnsupportedMediaType: {
    description: 'The body is not announced as JSON.',
    bodies: detail,
    detail: 'Unsupported media type "text/plain" in request.',
  },
  TooMany: { description: 'Too many requests.', bodies: [], headers: retry },
  Failed: { description: 'The service failed; it may have acted.', bodies: [] },
  Unavailable: { description: 'The service is not available now.', bodies: [], headers: retry },
} as const satisfies Record<string, Refused>
type RefusalName = keyof typeof refusals

/** Endpoints whose 400 has other bodies besides messages by field and `{detail}`. */
const special: Record<string, RefusalName> = {
  'v12.cases.addItems': 'BadTagIds',
  'v15.collections.addItems': 'BadTagIds',
  'v12.transactions.complete': 'BadComplete',
  'v12.transactions.return': 'BadReturn',
  'v12.transactions.void': 'BadVoid',
}

/** Transitions without a body that a rule may refuse. Spec: States and transitions. */
const ruled = new Set([
  'v15.products.publish',
  'v15.products.unpublish',
  'v15.packagedProducts.delete',
  'v15.collections.remove',
  'v15.collections.restore',
  'v15.collections.removeTagId',
  'v15.collections.restoreTagId',
])

/** Whether an account may be denied access: to resources of another company or brand, or for want of a dispensary. */
const isOwned = ({ version, endpoint }: Operation) => version === 'v1.5' || endpoint.method !== 'GET'

/** All answers of an endpoint except success, by status. */
export function refusalsOf(one: Operation): Map<number, RefusalName> {
  const found = new Map<number, RefusalName>()
  if (one.hasBody) found.set(400, special[one.name] ?? 'BadRequest')
  else if (ruled.has(one.name)) found.set(400, 'AgainstTheRules')
  found.set(401, 'Unauthorized')
  if (isOwned(one)) found.set(403, 'Forbidden')
  if (one.parameters.length > 0 || isPaged(one)) found.set(404, 'NotFound')
  found.set(405, 'MethodNotAllowed')
  if (one.hasBody) found.set(413, 'TooLarge').set(415, 'UnsupportedMediaType')
  return found.set(429, 'TooMany').set(500, 'Failed').set(503, 'Unavailable')
}

/** The refusals as the document describes them, each once; operations refer to these. */
export const refusalAnswers = () =>
  Object.fromEntries(Object.entries(refusals).map(([name, refused]) => [name, answer(refused)]))

function answer({ description, bodies, headers = {}, detail }: Refused) {
  const schema = anyOf(bodies)
  const named = Object.entries(headers).map(
    ([name, about]) => [name, { description: about, schema: { type: 'string' } }] as const,
  )
  return {
    description,
    ...(named.length > 0 ? { headers: Object.fromEntries(named) } : {}),
    ...(schema === undefined
      ? {}
      : { content: { 'application/json': { schema, examples: examplesOf(bodies, detail) } } }),
  }
}

const examplesOf = (bodies: readonly z.ZodType[], detail: string | undefined) =>
  Object.fromEntries(
    bodies.flatMap((body) => {
      const example = refusalExamples.get(body)
      if (example === undefined) return []
      const value = body === DetailRefusal && detail !== undefined ? { detail } : example.value
      return [[example.name, { value }] as const]
    }),
  )
