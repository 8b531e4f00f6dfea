import type { AppError } from '../../src-shared/errors'
import type { Result } from '../../src-shared/result'
import { CaseDetail, Collection } from '../../src-shared/service/collections'
import { PackageCases } from '../../src-shared/service/imports'
import { Item } from '../../src-shared/service/items'
import { Product } from '../../src-shared/service/products'
import type { Profile } from '../profile'
import type { Http } from './http'
import { readAs } from './read'
import type { Reply } from './reply'
import type { Tokens } from './tokens'

/** The state-changing endpoints, by the last part of their paths. Spec: v1.2 endpoints. */
export type ReportPath =
  | 'caseids/import/'
  | 'caseids/import/remove/'
  | 'transactions/complete/'
  | 'transactions/void/'
  | 'transactions/return/'

/** One method per endpoint. Reads give typed results; reports give the raw reply, for the outbox decides what it means. */
export interface ServiceClient {
  item(tagId: string): Promise<Result<Item, AppError>>
  collection(identifier: string): Promise<Result<Collection, AppError>>
  caseDetail(identifier: string): Promise<Result<CaseDetail, AppError>>
  product(productId: string): Promise<Result<Product, AppError>>
  casesOfPackage(packageUid: string): Promise<Result<PackageCases, AppError>>
  report(path: ReportPath, body: object): Promise<Reply>
}

export interface ServiceClientParts {
  profile: Profile
  http: Http
  tokens: Tokens
  /** Told of every reply: connectivity is what requests show. */
  onReply: (reply: Reply) => void
}

/** The client of `/api/v1.2`. A token that is refused is renewed once per request. Spec: Authentication. */
export function createServiceClient({ profile, http, tokens, onReply }: ServiceClientParts): ServiceClient {
  const attempt = async (method: 'GET' | 'POST', path: string, body?: object, isSecondTry = false): Promise<Reply> => {
    const token = await tokens.get()
    if (!token.ok) return { kind: 'not-asked', error: token.error }
    const reply = await http.send({
      method,
      url: `${profile.baseUrl}/api/v1.2/${path}`,
      headers: {
        authorization: `Bearer ${token.value}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (reply.kind !== 'answer' || reply.status !== 401) return reply
    tokens.invalidate(token.value)
    // A 401 was answered before anything was done: asking again can't double anything.
    return isSecondTry ? reply : attempt(method, path, body, true)
  }
  const ask = async (method: 'GET' | 'POST', path: string, body?: object): Promise<Reply> => {
    const reply = await attempt(method, path, body)
    onReply(reply)
    return reply
  }
  // An identifier is a person's text: it may hold slashes and spaces.
  const segment = encodeURIComponent

  return {
    item: async (id) => readAs(Item, await ask('GET', `items/${segment(id)}/`), id),
    collection: async (id) => readAs(Collection, await ask('GET', `collections/${segment(id)}/`), id),
    caseDetail: async (id) => readAs(CaseDetail, await ask('GET', `collections/case/${segment(id)}/`), id),
    product: async (id) => readAs(Product, await ask('GET', `products/${segment(id)}/`), id),
    casesOfPackage: async (uid) => readAs(PackageCases, await ask('GET', `package-uids/${segment(uid)}/caseids/`), uid),
    report: (path, body) => ask('POST', path, body),
  }
}
