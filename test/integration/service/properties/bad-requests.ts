import fc from 'fast-check'
import { z } from 'zod'
import { toUuid } from '../../../../src-shared/ids'
import { requestExamples } from '../../../../src-practice/openapi/examples/requests'
import { type Operation, operations } from '../../../../src-practice/openapi/operations'
import { absentId } from '../values'
import { accounts } from '../world'
import { batches, coas, fillers, packaged, products } from '../world-catalogue'
import { cases, collections, packageUids, regulators, tagIds } from '../world-data'

/** Requests that must change nothing, whatever is in them. */

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export interface BadRequest {
  /** The name of the operation. */
  name: string
  /** What is wrong with it for certain; the rest of it may be right. */
  flaw: 'body' | 'ids' | 'method' | 'token' | 'type'
  method: string
  path: string
  as: (typeof accounts)[number]
  body: unknown
}

/** Whether a body fits, with unknown fields ignored, as the service reads it. */
function fits(schema: unknown, body: unknown): boolean {
  if (schema instanceof z.ZodUnion) return schema.options.some((option) => fits(option, body))
  if (schema instanceof z.ZodObject) return z.object(schema.shape).safeParse(body).success
  return schema instanceof z.ZodType && schema.safeParse(body).success
}

/** Ids of things that are there, and texts that are none, for any parameter. */
const known = [
  ...[products.flower, products.rival, ...fillers.slice(0, 1), batches.flower, packaged.flower, coas.batch],
  ...Object.values(cases),
  ...Object.values(collections),
  ...Object.values(regulators),
  ...tagIds.plain.slice(0, 1),
  ...tagIds.free,
]
const value = fc.oneof(
  fc.constantFrom(...known),
  fc.constantFrom(...known).map((id) => toUuid(id) ?? id),
  fc.constantFrom(absentId, ...Object.values(packageUids), 'texts', 'images', 'case', 'create', 'text'),
  fc
    .string({ unit: 'binary', minLength: 1, maxLength: 30 })
    .filter((text) => text.isWellFormed() && !/^\.+$/.test(text)),
)
/** Ids of nothing at all. */
const unknownId = fc.constantFrom(absentId, toUuid(absentId) ?? '', 'no-such-thing', 'zzzzzzzzzzzzzzzzzzzzzz')

const pathOf = ({ endpoint }: Operation, values: string[]) => {
  const rest = values.values()
  return endpoint.path.replaceAll(/<[^>]+>/g, () => encodeURIComponent(rest.next().value ?? ''))
}

/** Any JSON, and bodies of the right form with one field that may be anything. */
const bodyOf = ({ name }: Operation) => {
  const example = requestExamples[name]
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return fc.jsonValue()
  const fields = Object.keys(example)
  const nearMiss = fc
    .tuple(fc.constantFrom(...fields, '__proto__', 'uuid'), fc.jsonValue())
    .map(([field, some]): unknown => Object.fromEntries([...Object.entries(example), [field, some]]))
  return fc.oneof(fc.jsonValue(), nearMiss)
}

const otherMethods = (one: Operation) => {
  const own = new Set(
    operations.filter(({ endpoint }) => endpoint.path === one.endpoint.path).map(({ endpoint }) => endpoint.method),
  )
  return methods.filter((method) => !own.has(method))
}

/** Texts that are no ids: whatever they are, there is an answer, if only an empty one. */
const freely = new Set(['collection_type', 'package_uid'])

export const badRequest: fc.Arbitrary<BadRequest> = fc
  .record({
    operation: fc.constantFrom(...operations),
    flaw: fc.constantFrom('body', 'body', 'body', 'ids', 'ids', 'method', 'token', 'type'),
    as: fc.constantFrom(...accounts),
  })
  .chain(({ operation, flaw: wanted, as }) => {
    const { name, parameters, hasBody, endpoint } = operation
    const hasIds = parameters.some((parameter) => !freely.has(parameter))
    // What has neither body nor ids can only be asked in the wrong way.
    const flaw =
      (!hasBody && (wanted === 'body' || wanted === 'type')) || (wanted === 'ids' && !hasIds)
        ? hasBody
          ? 'body'
          : 'method'
        : wanted
    return fc
      .record({
        values: fc.tuple(...parameters.map((parameter) => parameterOf(parameter, flaw === 'ids'))),
        body: bodyOf(operation),
        method: flaw === 'method' ? fc.constantFrom(...otherMethods(operation)) : fc.constant(endpoint.method),
      })
      .filter(({ body }) => flaw !== 'body' || !fits(operation.endpoint.request, body))
      .map(({ values, body, method }) => ({ name, flaw, as, method, body, path: pathOf(operation, values) }))
  })

const parameterOf = (name: string, isFlawed: boolean) => {
  if (name === 'asset_type') return isFlawed ? fc.constantFrom('sounds', absentId) : fc.constantFrom('texts', 'images')
  return isFlawed ? unknownId : value
}
