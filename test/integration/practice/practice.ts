import { expect } from 'vitest'
import { type PracticeOptions, type PracticeService, startPracticeService } from '../../../src-practice/start'
import { Token } from '../../../src-shared/service/token'
import { data, picturesDir } from './sample'

/** A real practice service on loopback, and a caller of it that knows nothing but HTTP. */

export const shop = 'practice-newark'
export const sister = 'practice-hoboken'
export const stranger = 'practice-stranger'
export const brand = 'practice-brand'

/** What came back: the status, and the body as JSON (undefined when it is empty or none). */
export interface Answer {
  status: number
  body: unknown
  headers: Headers
}

export async function start(options: Partial<PracticeOptions> = {}): Promise<PracticeService> {
  return startPracticeService({ data, db: ':memory:', port: 0, picturesDir, ...options })
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text()
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json') === true
  const body: unknown = isJson ? JSON.parse(text) : text === '' ? undefined : text
  return { status: response.status, body, headers: response.headers }
}

export async function requestToken(service: PracticeService, form: Record<string, string>, product = '') {
  return answerOf(
    await fetch(`${service.authUrl}${product}/o/token/`, { method: 'POST', body: new URLSearchParams(form) }),
  )
}

export async function tokenOf(service: PracticeService, client: string): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: client, client_secret: `${client}-secret` }
  return Token.parse((await requestToken(service, form)).body).access_token
}

/** A caller with a token of one account, to one version of the API. */
export async function callerOf(service: PracticeService, client: string, version = 'v1.2') {
  const token = await tokenOf(service, client)
  const authorization = { Authorization: `Bearer ${token}` }
  const url = (path: string) => `${service.baseUrl}/api/${version}/${path}`
  return {
    authorization,
    get: async (path: string) => answerOf(await fetch(url(path), { headers: authorization })),
    post: async (path: string, body: unknown) =>
      answerOf(
        await fetch(url(path), {
          method: 'POST',
          headers: { ...authorization, 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        }),
      ),
    send: async (method: string, path: string, headers: Record<string, string> = {}, body: BodyInit | null = null) =>
      answerOf(await fetch(url(path), { method, headers: { ...authorization, ...headers }, body })),
  }
}
export type ServiceCaller = Awaited<ReturnType<typeof callerOf>>

/** Matchers without a type of their own: `expect.any` answers `any`. */
export const someText: unknown = expect.any(String)
export const someList: unknown = expect.any(Array)
export const textLike = (pattern: RegExp): unknown => expect.stringMatching(pattern)

export const performed_at = '2026-11-02T10:15:00-05:00'

/** The body of an import. */
export const importOf = (subject: { uuid: string; packagedProductUuid: string }, package_uid: string) => ({
  case_uuid: subject.uuid,
  packaged_product_uuid: subject.packagedProductUuid,
  pos_product_id: 'POS-1',
  pos_inventory_id: `INV-${package_uid}`,
  package_uid,
})

/** The body of a complete or return. */
export const sale = (order_id: string, items: string[]) => ({ performed_at, order_id, items })
