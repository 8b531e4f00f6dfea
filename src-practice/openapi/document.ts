import { AssetType } from '../../src-shared/service/allowed-values'
import { TokenRefusal } from '../../src-shared/service/refusals'
import { Token, TokenRequest } from '../../src-shared/service/token'
import { answerExamples } from './examples/answers'
import { parameterExamples, requestExamples } from './examples/requests'
import { isPaged, type Operation, operations, summaryOf, tagOf } from './operations'
import { refusalAnswers, refusalsOf } from './refusals'
import { namedSchemas, schemaOf } from './schemas'

const refused = (description: string, error: string) => ({
  description,
  content: { 'application/json': { schema: schemaOf(TokenRefusal), example: { error } } },
})

/** `POST {auth_url}/o/token/`, the only request with a form body and without a token. Spec: Authentication. */
const tokenOperation = () => ({
  operationId: 'token',
  summary: 'An access token, with the Client Credentials grant',
  tags: ['Token'],
  security: [],
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': {
        schema: schemaOf(TokenRequest),
        example: {
          grant_type: 'client_credentials',
          client_id: 'practice-newark',
          client_secret: 'practice-newark-secret',
        },
      },
    },
  },
  responses: {
    '200': {
      description: 'A token that lives `expires_in` seconds.',
      content: {
        'application/json': {
          schema: schemaOf(Token),
          example: { access_token: 'Yx0Wm4', token_type: 'Bearer', expires_in: 36_000, scope: 'read write' },
        },
      },
    },
    '400': refused('A parameter is missing or invalid, or the grant type is another.', 'unsupported_grant_type'),
    '401': refused('No such client, or another secret.', 'invalid_client'),
    '405': { description: 'The path has no such method.' },
    '429': { description: 'Too many requests; see Retry-After.' },
    '500': { description: 'The service failed.' },
    '503': { description: 'The service is not available now; see Retry-After.' },
  },
})

/** One endpoint as OpenAPI describes it. */
function operationOf(one: Operation) {
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

function successOf({ name, endpoint, hasAnswer }: Operation) {
  const example = answerExamples[name]
  if (endpoint.success === 204) return { description: 'Done; no body.' }
  if (example === undefined) return { description: 'Done; the body says nothing.' }
  const schema = hasAnswer ? schemaOf(endpoint.answer) : { type: 'object' }
  const description = endpoint.isShown ? 'Success.' : 'Success; the specification does not show the body.'
  return { description, content: { 'application/json': { schema, example } } }
}

/** The parameters of a path, and the page of a list. */
function parametersOf(one: Operation) {
  const path = one.parameters.map((name) => parameter(name, one))
  if (!isPaged(one)) return path
  return [
    ...path,
    { name: 'page', in: 'query', description: 'Counts from 1.', schema: { type: 'integer', minimum: 1 } },
  ]
}

function parameter(name: string, { version }: Operation) {
  const place = { name, in: 'path', required: true }
  const example = parameterExamples[name]
  if (name === 'asset_type') return { ...place, schema: schemaOf(AssetType), example }
  if (example !== undefined) return { ...place, schema: { type: 'string', minLength: 1 }, example }
  return version === 'v1.5'
    ? { ...place, description: 'A UUID.', schema: { type: 'string', format: 'uuid' } }
    : { ...place, description: 'A ShortUUID.', schema: { type: 'string', minLength: 22 } }
}

/** The addresses of the service in a document. */
export interface Places {
  /** `{base_url}` of the specification. */
  baseUrl: string
  /** `{auth_url}` of the specification. */
  authUrl: string
}

/** The addresses in the document of `npm run openapi`: the practice service on a port of your choice. */
export const examplePlaces: Places = { baseUrl: 'http://127.0.0.1:8080', authUrl: 'http://127.0.0.1:8080/auth' }

/** `/api/v1.5/brands/<uuid>/` in the notation of OpenAPI. */
const template = (path: string): string => path.replaceAll('<', '{').replaceAll('>', '}')

const about =
  'Both versions are available at once: v1.5 for the catalogue, collections, TagIDs and assets; v1.2 for richer ' +
  'payloads, imports, package look-up and transactions. Ids are UUIDs in v1.5 and ShortUUIDs in v1.2. ' +
  'Answers may hold fields and values that are not listed here.'

type Path = Record<string, ReturnType<typeof operationOf> | ReturnType<typeof tokenOperation> | Server[]>

interface Server {
  url: string
  description: string
}

/**
 * The whole service as an OpenAPI 3.1 document, generated from the schemas that service and client parse with.
 * `places`: the addresses in the document.
 */
export function openApiDocument({ baseUrl, authUrl }: Places) {
  const paths: Record<string, Path> = {
    '/o/token/': {
      servers: [
        { url: authUrl, description: '{auth_url}: tokens of both products' },
        { url: `${authUrl}/retail`, description: '{auth_url} of the retail product' },
        { url: `${authUrl}/sourcing`, description: '{auth_url} of the sourcing product' },
      ],
      post: tokenOperation(),
    },
  }
  for (const one of operations) {
    const path = (paths[template(one.endpoint.path)] ??= {})
    path[one.endpoint.method.toLowerCase()] = operationOf(one)
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Traceability, Catalog and Retail Inventory API',
      version: '1.5',
      summary: 'TagIDs, CaseIDs, catalogue, inventory imports and retail transactions.',
      description: about,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl, description: '{base_url}' }],
    tags: [...new Set(['Token', ...operations.map(tagOf)])].map((name) => ({ name })),
    security: [{ clientCredentials: ['read', 'write'] }],
    paths,
    components: {
      schemas: namedSchemas(),
      responses: refusalAnswers(),
      securitySchemes: { clientCredentials: clientCredentials(authUrl) },
    },
  }
}

/** Spec: Authentication. */
const clientCredentials = (authUrl: string) => ({
  type: 'oauth2',
  description: 'Client Credentials; then `Authorization: Bearer <ACCESS_TOKEN>` on every request.',
  flows: {
    clientCredentials: {
      tokenUrl: `${authUrl}/o/token/`,
      scopes: { read: 'Read what the account may see', write: 'Change what the account owns' },
    },
  },
})
