import { z } from 'zod'
import { ShortUuid } from '../../src-shared/ids'
import {
  Asset,
  AssetPage,
  FileAssetCreate,
  ImageAssetCreate,
  TextAssetCreate,
  VideoAssetCreate,
} from '../../src-shared/service/assets'
import {
  Batch,
  BatchCreate,
  BatchDetail,
  BatchPage,
  BatchUpdate,
  BatchV15,
  PackagedProduct,
  PackagedProductCreate,
  PackagedProductUpdate,
  PackagedProductV15,
} from '../../src-shared/service/batches'
import { Brand, BrandEntry, BrandV15 } from '../../src-shared/service/brands'
import { DigitalCoa, DigitalCoaV15, TestingLaboratory, TestingLaboratoryV15 } from '../../src-shared/service/coas'
import * as collections from '../../src-shared/service/collections'
import * as collectionsV15 from '../../src-shared/service/collections-v15'
import {
  ImportAnswer,
  ImportRemovalRequest,
  ImportRequest,
  PackageCase,
  PackageCases,
} from '../../src-shared/service/imports'
import {
  Item,
  ItemCollection,
  ItemCollectionV15,
  ItemV15,
  ItemWithRemovedCollections,
} from '../../src-shared/service/items'
import { BrandVideo, ImageSet, Measure, MediaObject } from '../../src-shared/service/wire'
import {
  AssetReference,
  PotencyMeasure,
  ProductCreate,
  ProductPatch,
  ProductUpdate,
  SizeMeasure,
} from '../../src-shared/service/product-requests'
import { ProductType } from '../../src-shared/service/allowed-values'
import { Product, ProductEntry, ProductPage, ProductV15 } from '../../src-shared/service/products'
import * as refusals from '../../src-shared/service/refusals'
import { Token, TokenRequest } from '../../src-shared/service/token'
import { CompleteRequest, ReturnRequest, VoidRequest } from '../../src-shared/service/transactions'

/** The schemas that the OpenAPI document names; all other schemas are inlined. */
const components: Record<string, z.ZodType> = {
  Asset,
  AssetPage,
  TextAssetCreate,
  ImageAssetCreate,
  VideoAssetCreate,
  FileAssetCreate,
  Batch,
  BatchV15,
  BatchPage,
  BatchDetail,
  BatchCreate,
  BatchUpdate,
  Brand,
  BrandV15,
  BrandEntry,
  DigitalCoa,
  DigitalCoaV15,
  ...collections,
  ...collectionsV15,
  ImportRequest,
  ImportAnswer,
  ImportRemovalRequest,
  Item,
  ItemV15,
  ItemCollection,
  ItemCollectionV15,
  ItemWithRemovedCollections,
  TestingLaboratory,
  TestingLaboratoryV15,
  MediaObject,
  BrandVideo,
  ImageSet,
  Measure,
  SizeMeasure,
  PotencyMeasure,
  PackageCase,
  PackageCases,
  PackagedProduct,
  PackagedProductV15,
  PackagedProductCreate,
  PackagedProductUpdate,
  Product,
  ProductV15,
  ProductEntry,
  ProductPage,
  ProductCreate,
  ProductUpdate,
  ProductPatch,
  ProductType,
  AssetReference,
  ...refusals,
  Token,
  TokenRequest,
  CompleteRequest,
  VoidRequest,
  ReturnRequest,
}

/** A JSON Schema (2020-12), as used by OpenAPI 3.1. */
type JsonSchema = z.core.JSONSchema.BaseSchema

const registry = z.registry<{ id: string }>()
const named = new Map<z.ZodType, string>()
// Sorted by name, because the order of a namespace's members depends on how it is loaded.
for (const [id, schema] of Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
  // The namespaces that `components` spreads must contain only schemas; this ensures it.
  if (!(schema instanceof z.ZodType) || named.has(schema)) continue
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

interface Content {
  schema: JsonSchema
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

export interface DocumentedAnswer {
  description: string
  headers?: Record<string, { description: string; schema: JsonSchema }>
  content?: Record<string, Content>
}

/** A reference to an answer in `components`. */
interface Reference {
  $ref: string
}

export interface Parameter {
  name: string
  in: 'path' | 'query'
  required?: boolean
  description?: string
  schema: JsonSchema
  example?: unknown
}

export interface OperationObject {
  operationId: string
  summary: string
  tags: string[]
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Record<string, Content> }
  responses: Record<string, DocumentedAnswer | Reference>
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

interface Server {
  url: string
  description: string
}

export type PathObject = Partial<Record<Method, OperationObject>> & { servers?: Server[] }

/** OpenAPI 3.1, with the parts that this service uses. */
export interface OpenApiDocument {
  openapi: string
  info: Record<string, unknown>
  servers: Server[]
  tags: { name: string }[]
  security: Record<string, string[]>[]
  paths: Record<string, PathObject>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, DocumentedAnswer>
    securitySchemes: Record<string, unknown>
  }
}
