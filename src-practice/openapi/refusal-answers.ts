import type { z } from 'zod'
import { DetailRefusal } from '../../src-shared/service/refusals'
import { refusalExamples } from './examples/refusals'
import { type Refused, refusals } from './refusals'
import { anyOf } from './schemas'
import type { Answer } from './shapes'

/** The refusals as the document describes them, each once; operations refer to them. */
export const refusalAnswers = (): Record<string, Answer> =>
  Object.fromEntries(Object.entries(refusals).map(([name, refused]) => [name, answer(refused)]))

function answer({ description, bodies, headers = {}, detail }: Refused): Answer {
  const schema = anyOf(bodies)
  const named = Object.entries(headers).map(
    ([name, about]) => [name, { description: about, schema: { type: 'string' as const } }] as const,
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
