import type { AppError, ResultOf } from '../../src-shared/errors'
import { err, ok } from '../../src-shared/result'
import { tokenUrlOf } from '../credentials/profile'
import type { ServiceProduct } from '../../src-shared/service/token'
import type { Http } from '../service/http'
import { errorOfReply } from '../service/read'
import type { Reply, ServiceCode } from '../service/reply'
import { distrustOf } from '../service/transport'

type WrongAddress = Extract<AppError, { code: 'connection/address' }>

/** A read that every account may make and that is refused without a token. */
const anyRead = '/api/v1.2/package-uids/000000000000000000000000/caseids/'

/** Whether the traceability service answers at an address. Signs in to nothing. */
export async function lookAtService(
  http: Pick<Http, 'send'>,
  baseUrl: string,
): Promise<ResultOf<null, ServiceCode | 'connection/address'>> {
  const url = `${baseUrl}${anyRead}`
  const reply = await http.send({ method: 'GET', url })
  // Without a token the service answers 401; some gateways in front of it answer 403.
  return judge('service', url, reply, (status) => status === 401 || status === 403)
}

/** Whether an OAuth token endpoint answers below a sign-in address. Sends no account. */
export async function lookAtSignIn(
  http: Pick<Http, 'send'>,
  authUrl: string,
): Promise<ResultOf<null, ServiceCode | 'connection/address'>> {
  const url = tokenUrlOf(authUrl)
  const reply = await http.send({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
    expects: 'token',
  })
  return judge('sign-in', url, reply, (status) => status >= 400 && status < 500 && !notThere.includes(status))
}

/**
 * The addresses of changes that only this product's accounts may make. They are asked with GET, which they don't take, so
 * that nothing can change: an account that may make the change is told that the method is wrong, another one is refused.
 * Spec: Endpoints > v1.2 endpoints, Products (v1.5); What the service does.
 */
const ownAddress: Record<ServiceProduct, string> = {
  retail: '/api/v1.2/transactions/complete/',
  sourcing: '/api/v1.5/products/00000000-0000-0000-0000-000000000000/publish/',
}

/** Whether an account may do what only its product's accounts may: one sign-in address may give tokens to both.
 * `service/forbidden`: it is an account of the other product. */
export async function lookAtAccount(
  http: Pick<Http, 'send'>,
  baseUrl: string,
  { product, token }: { product: ServiceProduct; token: string },
): Promise<ResultOf<null, ServiceCode>> {
  const url = `${baseUrl}${ownAddress[product]}`
  const reply = await http.send({ method: 'GET', url, headers: { authorization: `Bearer ${token}` } })
  if (reply.kind !== 'answer' || reply.body.kind === 'page' || reply.status === 429 || reply.status >= 500) {
    return err(errorOfReply(reply, ''))
  }
  if (reply.status === 401) return err({ code: 'service/credentials-refused' })
  return reply.status === 403 ? err({ code: 'service/forbidden' }) : ok(null)
}

/** Whether an error is about the certificate: the host was found. */
export const isOfCertificate = ({ code }: AppError) => code === 'service/not-trusted' || code === 'profile/no-ca-file'

/** No such path, or not for this method. */
const notThere = [404, 405]

function judge(
  of: WrongAddress['of'],
  url: string,
  reply: Reply,
  isExpected: (status: number) => boolean,
): ResultOf<null, ServiceCode | 'connection/address'> {
  if (reply.kind === 'not-asked') return err(reply.error)
  const wrong = (reason: WrongAddress['reason']) => err(wrongAddress(of, url, reason))
  if (reply.kind === 'no-answer') {
    const distrust = distrustOf(reply.code)
    return distrust ? err(distrust) : wrong(reasons[reply.code] ?? 'silent')
  }
  const { status, body } = reply
  if (status === 429 || status >= 500) return err(errorOfReply(reply, ''))
  return isExpected(status) && body.kind !== 'page' ? ok(null) : wrong('server')
}

/** The address, not its secrets: an address never has any. */
const wrongAddress = (of: WrongAddress['of'], url: string, reason: WrongAddress['reason']): WrongAddress => ({
  code: 'connection/address',
  of,
  reason,
  host: new URL(url).host,
  url,
})

/** What a request's failure says about its address. Anything else means that nothing answered. */
const reasons: Record<string, WrongAddress['reason']> = {
  ENOTFOUND: 'name',
  EAI_AGAIN: 'name',
  ECONNREFUSED: 'refused',
  PROXY_REFUSED: 'proxy',
}
