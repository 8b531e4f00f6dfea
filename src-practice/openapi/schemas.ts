import { z } from 'zod'
import { ShortUuid } from '../../src-shared/ids'
import { components } from './components'

/** A JSON Schema (2020-12), as OpenAPI 3.1 takes it. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

const registry = z.registry<{ id: string }>()
const named = new Map<z.ZodType, string>()
// By name: the order of a namespace's members depends on who loads it.
for (const [id, schema] of Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
  // The namespaces that `components` spreads hold nothing but schemas, and this keeps it so.
  if (!(schema instanceof z.ZodType) || named.has(schema)) continue
  registry.add(schema, { id })
  named.set(schema, id)
}

const refTo = (id: string) => `#/components/schemas/${id}`

/** The wire is what goes in, for requests and for answers: behind the codecs of ids it is Countertag's own form. */
const options: z.core.ToJSONSchemaParams = {
  io: 'input',
  target: 'draft-2020-12',
  override: ({ zodSchema, jsonSchema }) => {
    if (zodSchema === ShortUuid)
      Object.assign(jsonSchema, { minLength: 22, maxLength: 22, description: 'A ShortUUID.' })
    // A format says it all; the patterns behind formats are a page of text each.
    if (jsonSchema.format !== undefined) delete jsonSchema.pattern
  },
}

/** All named schemas, which refer to each other. */
export function namedSchemas(): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(registry, { ...options, uri: refTo })
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $id: _id, $schema: _schema, ...schema }]) => [id, schema]),
  )
}

/** A schema where it is used: by its name when it has one, else as it is. Unions are made of their members. */
export function schemaOf(schema: z.ZodType): JsonSchema {
  const name = named.get(schema)
  if (name !== undefined) return { $ref: refTo(name) }
  if (schema instanceof z.ZodUnion) return { anyOf: members(schema).map(schemaOf) }
  if (schema instanceof z.ZodArray) return { type: 'array', items: schemaOf(member(schema.element)) }
  const { $schema: _schema, ...inline } = z.toJSONSchema(schema, options)
  return inline
}

const member = (schema: unknown): z.ZodType => {
  if (schema instanceof z.ZodType) return schema
  throw new Error('A schema is made of schemas')
}
const members = (union: z.ZodUnion): z.ZodType[] => union.options.map(member)

/** One of several schemas. */
export const anyOf = ([first, ...rest]: readonly z.ZodType[]): JsonSchema | undefined =>
  first === undefined ? undefined : rest.length === 0 ? schemaOf(first) : { anyOf: [first, ...rest].map(schemaOf) }
