import { z } from 'zod'
import { storable } from '../text'

const Secret = z
  .string()
  .min(1)
  .max(1_000)
  .refine(...storable)

/** Form fields of `POST {auth_url}/o/token/`. Spec: Authentication. */
export const TokenRequest = z.strictObject({
  grant_type: z.literal('client_credentials'),
  client_id: Secret,
  client_secret: Secret,
})
export type TokenRequest = z.infer<typeof TokenRequest>

/** The answer; `expires_in` in seconds, typically 36000. */
export const Token = z.looseObject({
  access_token: z.string().min(1),
  token_type: z.string(),
  expires_in: z.number().positive(),
  scope: z.string().optional(),
})
export type Token = z.infer<typeof Token>

/** The two products of the service; each has its own token URL. */
export const ServiceProduct = z.enum(['retail', 'sourcing'])
export type ServiceProduct = z.infer<typeof ServiceProduct>
