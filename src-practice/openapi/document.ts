import { operationOf } from './operation'
import { type Operation, operations, tagOf } from './operations'
import { refusalAnswers } from './refusal-answers'
import { namedSchemas } from './schemas'
import type { Method, OpenApiDocument, PathObject } from './shapes'
import { tokenOperation } from './token-operation'

/** Where the service of a document is. */
export interface Places {
  /** `{base_url}` of the specification. */
  baseUrl: string
  /** `{auth_url}` of the specification. */
  authUrl: string
}

/** Those of the document in the repository: the practice service on a port of one's own choice. */
export const examplePlaces: Places = { baseUrl: 'http://127.0.0.1:8080', authUrl: 'http://127.0.0.1:8080/auth' }

const methods = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const satisfies Record<
  Operation['endpoint']['method'],
  Method
>

/** `/api/v1.5/brands/<uuid>/` as OpenAPI writes it. */
const template = (path: string): string => path.replaceAll('<', '{').replaceAll('>', '}')

const about =
  'Both versions are available at once: v1.5 for the catalogue, collections, TagIDs and assets; v1.2 for richer ' +
  'payloads, imports, package look-up and transactions. Ids are UUIDs in v1.5 and ShortUUIDs in v1.2. ' +
  'Answers may hold fields and values that are not listed here.'

/**
 * The whole service as an OpenAPI 3.1 document, made of the schemas that the service and its client parse with.
 * `places` says where it is, for the addresses in the document.
 */
export function openApiDocument({ baseUrl, authUrl }: Places): OpenApiDocument {
  const paths: Record<string, PathObject> = {
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
    path[methods[one.endpoint.method]] = operationOf(one)
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
