import type { JsonSchema } from './schemas'

/** The parts of an OpenAPI 3.1 document that this service needs. */

export interface Content {
  schema: JsonSchema
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

export interface Answer {
  description: string
  headers?: Record<string, { description: string; schema: JsonSchema }>
  content?: Record<string, Content>
}

/** To one of the answers in `components`. */
export interface Reference {
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
  responses: Record<string, Answer | Reference>
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

interface Server {
  url: string
  description: string
}

export type PathObject = Partial<Record<Method, OperationObject>> & { servers?: Server[] }

export interface OpenApiDocument {
  openapi: string
  info: Record<string, unknown>
  servers: Server[]
  tags: { name: string }[]
  security: Record<string, string[]>[]
  paths: Record<string, PathObject>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, Answer>
    securitySchemes: Record<string, unknown>
  }
}
