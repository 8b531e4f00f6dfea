import { z } from 'zod'

/** Answer of `POST {auth_url}/o/token/`; `expires_in` in seconds. Spec: Authentication. */
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
