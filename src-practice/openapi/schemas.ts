import { z } from 'zod'
import { ShortUuid } from '../../src-shared/ids'
import { ProductType } from '../../src-shared/service/allowed-values'
import * as assets from '../../src-shared/service/assets'
import * as batches from '../../src-shared/service/batches'
import * as brands from '../../src-shared/service/brands'
import * as coas from '../../src-shared/service/coas'
import * as collections from '../../src-shared/service/collections'
import * as collectionsV15 from '../../src-shared/service/collections-v15'
import * as imports from '../../src-shared/service/imports'
import * as items from '../../src-shared/service/items'
import * as productRequests from '../../src-shared/service/product-requests'
import * as products from '../../src-shared/service/products'
import * as refusals from '../../src-shared/service/refusals'
import * as token from '../../src-shared/service/token'
import * as transactions from '../../src-shared/service/transactions'
import * as wire from '../../src-shared/service/wire'

/** What the modules of the wire schemas export. */
const exported: Record<string, unknown> = {
  ...assets,
  ...batches,
  ...brands,
  ...coas,
  ...collections,
  ...collectionsV15,
  ...imports,
  ...items,
  ...productRequests,
  ...products,
  ...refusals,
  ...token,
  ...transactions,
  ...wire,
}

/** Schemas of several values; single values are inlined where they are used, except the long list of product types. */
const isNamed = (schema: unknown): schema is z.ZodType =>
  schema === ProductType ||
  [z.ZodObject, z.ZodArray, z.ZodRecord, z.ZodTuple].some((composite) => schema instanceof composite)

/** A JSON Schema (2020-12), as used by OpenAPI 3.1. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

const registry = z.registry<{ id: string }>()
const named = new Map<z.ZodType, string>()
// Sorted by name, because the order of a namespace's members depends on how it is loaded.
for (const [id, schema] of Object.entries({ ...exported, ProductType }).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
  if (!isNamed(schema) || named.has(schema)) continue
  registry.add(schema, { id })
  named.set(schema, id)
}

const refTo = (id: string) => `#/components/schemas/${id}`

/** The input side of a schema is the wire form: the output side of an id codec is Countertag's own form. */
const options: z.core.ToJSONSchemaParams = {
  io: 'input',
  target: 'draft-2020-12',
  override: ({ zodSchema, jsonSchema }) => {
    if (zodSchema === ShortUuid)
      Object.assign(jsonSchema, { minLength: 22, maxLength: 22, description: 'A ShortUUID.' })
    // A format is enough; the patterns behind formats are a page of text each.
    if (jsonSchema.format !== undefined) delete jsonSchema.pattern
  },
}

/** All named schemas, with references to each other. */
export function namedSchemas(): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(registry, { ...options, uri: refTo })
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $id: _id, $schema: _schema, ...schema }]) => [id, schema]),
  )
}

/** A schema where it is used: a reference if it is named, otherwise inlined. Unions are built from their members. */
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
