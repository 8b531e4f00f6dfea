import { z } from 'zod'
import type { Endpoint, PathValues } from '../../src-shared/service/endpoint'
import { pathWith } from './path'

/** A report of the outbox as it goes on the wire; its reply is for the outbox to judge. */
export interface ReportRequest {
  version: 'v1.2' | 'v1.5'
  method: Endpoint['method']
  /** Behind the base URL, with its ids in the form of the version. */
  path: string
  /** JSON; null for none. */
  body: unknown
  /** Words that are taken out of the answer, should it repeat them: the customer's id. */
  conceal?: readonly string[]
}

/** The request to an endpoint, in the words of its version: ids in a path or body of v1.5 take their long form. */
export function requestTo<Path extends string, Request extends z.ZodType>(
  endpoint: Endpoint<Path, Request>,
  values: PathValues<Path>,
  body: z.output<Request>,
): ReportRequest {
  const version = endpoint.path.startsWith('/api/v1.5/') ? 'v1.5' : 'v1.2'
  return {
    version,
    method: endpoint.method,
    path: pathWith(endpoint.path, values, version === 'v1.5' ? 'long' : 'short'),
    body: version === 'v1.5' ? z.encode(endpoint.request, body) : body,
  }
}
