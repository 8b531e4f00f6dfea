import type { AppError } from '../../src-shared/errors'

/** A request without an answer. `sent` is false only if the request certainly never left this computer. */
export interface TransportFault {
  code: string
  sent: boolean
}

/**
 * What a thrown error says about its request. Pure and total: accepts any thrown value. Valid for the dispatchers of
 * `routes.ts`, which go direct or tunnel through a proxy, follow no redirects and repeat nothing. An unlisted code counts
 * as sent: checking a report once too often does no harm.
 */
export function transportFault(cause: unknown): TransportFault {
  try {
    return faultOf(cause, new Set())
  } catch {
    // The error's fields throw, or errors are nested too deep for the stack.
    return untold
  }
}

const untold: TransportFault = { code: 'UNKNOWN', sent: true }

/** undici raises these only before it writes the first byte of a request. */
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

/** Raised by Node if none of a host's addresses could be connected to in time. */
const whileConnecting = ['ERR_SOCKET_CONNECTION_TIMEOUT']

/** The service's certificate was not trusted: Node ends the handshake, and undici writes only after it. */
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

/** The reason shown to a person for handshake errors. */
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

/** Why the server's certificate isn't trusted; undefined for a code that isn't about the certificate. */
export function distrustOf(code: string): Extract<AppError, { code: 'service/not-trusted' }> | undefined {
  if (!atTheHandshake.includes(code)) return undefined
  return { code: 'service/not-trusted', reason: distrust[code] ?? 'other' }
}

/**
 * undici raises these while it asks a SOCKS proxy for a tunnel. Other codes with this prefix may have another meaning in
 * newer versions.
 */
const bySocksProxy = /^UND_ERR_SOCKS5_(VERSION|AUTH_\w+|REPLY_\w+|ADDR_TYPE)$/

/** The proxy was reached but refused the tunnel. */
const refusedTunnel = 'PROXY_REFUSED'
/** A SOCKS proxy's reply if its rules don't allow the connection. */
const refusedBySocks = 'UND_ERR_SOCKS5_REPLY_2'

/**
 * Whether the next proxy of a list may be tried: only if no connection could be made. A request that may have been sent
 * is never repeated here. A proxy's refusal of the tunnel is final, as in Chromium, and an untrusted certificate isn't
 * bypassed.
 */
export function mayTryNextWay(cause: unknown): boolean {
  const { code, sent } = transportFault(cause)
  return !sent && code !== refusedTunnel && code !== refusedBySocks && distrustOf(code) === undefined
}

const neverLeft = new Set([...beforeWriting, ...whileConnecting, ...atTheHandshake])

/**
 * Whether a request was not made because this computer can't open another connection. `isOut` looks whether that is so at
 * this moment: a name server that can't be asked for want of a socket looks like a name that doesn't exist.
 */
export function isForWantOfFiles({ code, sent }: TransportFault, isOut: () => boolean): boolean {
  if (sent) return false
  return ofFiles.has(code) || (ofNames.has(code) && isOut())
}

const ofFiles = new Set(['EMFILE', 'ENFILE'])
const ofNames = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_SYSTEM', 'EAI_MEMORY'])

/** An established connection raises the operating system's codes as well; only the system call tells the cases apart. */
const ofConnecting = new Set(['connect', 'getaddrinfo'])

/**
 * The cause of an error, down to the first with a code. If there are several (one per address), the one that proves
 * least.
 */
function faultOf(cause: unknown, seen: Set<unknown>): TransportFault {
  if (typeof cause !== 'object' || cause === null || seen.has(cause)) return untold
  seen.add(cause)
  if ('errors' in cause && Array.isArray(cause.errors) && cause.errors.length > 0) {
    const faults = cause.errors.map((one) => faultOf(one, seen))
    return faults.find((fault) => fault.sent) ?? faults[0] ?? untold
  }
  // The proxy refused the tunnel. undici uses the same code for aborted requests, which may have been sent.
  if ('message' in cause && /^Proxy response \(\d+\) !== 200/.test(String(cause.message))) {
    return { code: refusedTunnel, sent: false }
  }
  if ('code' in cause && typeof cause.code === 'string') {
    const wasConnecting = 'syscall' in cause && typeof cause.syscall === 'string' && ofConnecting.has(cause.syscall)
    return { code: cause.code, sent: !wasConnecting && !neverLeft.has(cause.code) && !bySocksProxy.test(cause.code) }
  }
  return 'cause' in cause ? faultOf(cause.cause, seen) : untold
}
