import type { AppError } from '../../src-shared/errors'

/** A request without an answer. `sent` is false only when it certainly never left this machine. */
export interface TransportFault {
  code: string
  sent: boolean
}

/**
 * What a thrown error says about its request. Pure and total: it takes anything that can be thrown. It holds for the
 * dispatchers of `routes.ts`, which tunnel through a proxy or go without, follow no redirect, repeat nothing.
 * A code that is not listed counts as sent: looking into a report once too often does no harm.
 */
export function transportFault(cause: unknown): TransportFault {
  try {
    return faultOf(cause, new Set())
  } catch {
    // An error whose own fields throw, or errors nested deeper than the stack.
    return untold
  }
}

const untold: TransportFault = { code: 'UNKNOWN', sent: true }

/** undici raises these before it writes the first byte of a request, and at no other moment. */
const beforeWriting = [
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_CLOSED',
  'UND_ERR_INVALID_ARG',
  'UND_ERR_MAX_ORIGINS_REACHED',
  'UND_ERR_BPL_MISSING_UPSTREAM',
  'UND_ERR_PRX_TLS',
  'UND_ERR_PRX_CONN',
  'ERR_WEBASSEMBLY_NOT_SUPPORTED',
]

/** Node's own, when no address of a host could be connected to in time. */
const whileConnecting = ['ERR_SOCKET_CONNECTION_TIMEOUT']

/** The service's certificate was not believed: Node ends the handshake, and undici writes only behind it. */
const atTheHandshake = [
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REJECTED',
  'CERT_REVOKED',
  'CERT_UNTRUSTED',
  'CERT_CHAIN_TOO_LONG',
  'CERT_SIGNATURE_FAILURE',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
  'UNABLE_TO_DECRYPT_CERT_SIGNATURE',
  'ERROR_IN_CERT_NOT_AFTER_FIELD',
  'ERROR_IN_CERT_NOT_BEFORE_FIELD',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
]

/** What the errors of a handshake tell a person. */
const distrust: Record<string, 'issuer' | 'name' | 'date'> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'issuer',
  SELF_SIGNED_CERT_IN_CHAIN: 'issuer',
  UNABLE_TO_GET_ISSUER_CERT: 'issuer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'issuer',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'issuer',
  CERT_UNTRUSTED: 'issuer',
  ERR_TLS_CERT_ALTNAME_INVALID: 'name',
  HOSTNAME_MISMATCH: 'name',
  CERT_HAS_EXPIRED: 'date',
  CERT_NOT_YET_VALID: 'date',
}

/** Why the one who answered is not believed to be the service; undefined of a fault that is none of the certificate's. */
export function distrustOf(code: string): Extract<AppError, { code: 'service/not-trusted' }> | undefined {
  if (!atTheHandshake.includes(code)) return undefined
  return { code: 'service/not-trusted', reason: distrust[code] ?? 'other' }
}

/** undici raises these while a SOCKS proxy is asked for its tunnel. Every other code of that kind may be a newer one's. */
const bySocksProxy = /^UND_ERR_SOCKS5_(VERSION|AUTH_\w+|REPLY_\w+|ADDR_TYPE)$/

/** The proxy was reached and refused the tunnel. */
const refusedTunnel = 'PROXY_REFUSED'
/** The reply of a SOCKS proxy whose rules do not allow the connection. */
const refusedBySocks = 'UND_ERR_SOCKS5_REPLY_2'

/**
 * Whether the next proxy of a list may be tried: no connection could be made. What may have been sent is never sent again
 * here; a proxy that refuses the tunnel means it (so do Chromium and its kin read it), and a certificate that is not
 * believed is not got around.
 */
export function mayTryNextWay(cause: unknown): boolean {
  const { code, sent } = transportFault(cause)
  return !sent && code !== refusedTunnel && code !== refusedBySocks && distrustOf(code) === undefined
}

const neverLeft = new Set([...beforeWriting, ...whileConnecting, ...atTheHandshake])

/** A standing connection gives the operating system's codes as well: only what it was doing tells. */
const ofConnecting = new Set(['connect', 'getaddrinfo'])

/** The error behind an error, down to the first that has a code; of several (one an address) the one that proves least. */
function faultOf(cause: unknown, seen: Set<unknown>): TransportFault {
  if (typeof cause !== 'object' || cause === null || seen.has(cause)) return untold
  seen.add(cause)
  if ('errors' in cause && Array.isArray(cause.errors) && cause.errors.length > 0) {
    const faults = cause.errors.map((one) => faultOf(one, seen))
    return faults.find((fault) => fault.sent) ?? faults[0] ?? untold
  }
  // The proxy said no to the tunnel; undici gives it the code of requests that were cut short, which may have left.
  if ('message' in cause && /^Proxy response \(\d+\) !== 200/.test(String(cause.message))) {
    return { code: refusedTunnel, sent: false }
  }
  if ('code' in cause && typeof cause.code === 'string') {
    const wasConnecting = 'syscall' in cause && typeof cause.syscall === 'string' && ofConnecting.has(cause.syscall)
    return { code: cause.code, sent: !wasConnecting && !neverLeft.has(cause.code) && !bySocksProxy.test(cause.code) }
  }
  return 'cause' in cause ? faultOf(cause.cause, seen) : untold
}
