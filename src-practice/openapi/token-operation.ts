import { TokenRefusal } from '../../src-shared/service/refusals'
import { Token, TokenRequest } from '../../src-shared/service/token'
import { schemaOf } from './schemas'
import type { OperationObject } from './shapes'

const refused = (description: string, error: string) => ({
  description,
  content: { 'application/json': { schema: schemaOf(TokenRefusal), example: { error } } },
})

/** `POST {auth_url}/o/token/`, the only request with a form and without a token. Spec: Authentication. */
export const tokenOperation = (): OperationObject => ({
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
