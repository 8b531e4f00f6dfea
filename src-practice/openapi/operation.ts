import { AssetType } from '../../src-shared/service/allowed-values'
import { answerExamples } from './examples/answers'
import { parameterExamples, requestExamples } from './examples/requests'
import { type Operation, isPaged, tagOf } from './operations'
import { refusalsOf } from './refusals'
import { schemaOf } from './schemas'
import type { Answer, OperationObject, Parameter } from './shapes'
import { summaryOf } from './summaries'

/** One endpoint as OpenAPI describes it. */
export function operationOf(one: Operation): OperationObject {
  const { endpoint, name } = one
  const parameters = parametersOf(one)
  const body = { schema: schemaOf(endpoint.request), example: requestExamples[name] }
  return {
    operationId: name,
    summary: summaryOf(name),
    tags: [tagOf(one)],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(one.hasBody ? { requestBody: { required: true, content: { 'application/json': body } } } : {}),
    responses: {
      [String(endpoint.success)]: successOf(one),
      ...Object.fromEntries([...refusalsOf(one)].map(([status, name]) => [String(status), refTo(name)])),
    },
  }
}

const refTo = (name: string) => ({ $ref: `#/components/responses/${name}` })

function successOf({ name, endpoint, hasAnswer }: Operation): Answer {
  const example = answerExamples[name]
  if (endpoint.success === 204) return { description: 'Done; no body.' }
  if (example === undefined) return { description: 'Done; the body says nothing.' }
  const schema = hasAnswer ? schemaOf(endpoint.answer) : { type: 'object' as const }
  const description = endpoint.isShown ? 'Success.' : 'Success; the specification does not show the body.'
  return { description, content: { 'application/json': { schema, example } } }
}

/** The parameters of a path, and the page of a list. */
function parametersOf(one: Operation): Parameter[] {
  const path = one.parameters.map((name) => parameter(name, one))
  if (!isPaged(one)) return path
  return [
    ...path,
    { name: 'page', in: 'query', description: 'Counts from 1.', schema: { type: 'integer', minimum: 1 } },
  ]
}

function parameter(name: string, { version }: Operation): Parameter {
  const place = { name, in: 'path', required: true } as const
  const example = parameterExamples[name]
  if (name === 'asset_type') return { ...place, schema: schemaOf(AssetType), example }
  if (example !== undefined) return { ...place, schema: { type: 'string', minLength: 1 }, example }
  return version === 'v1.5'
    ? { ...place, description: 'A UUID.', schema: { type: 'string', format: 'uuid' } }
    : { ...place, description: 'A ShortUUID.', schema: { type: 'string', minLength: 22 } }
}
