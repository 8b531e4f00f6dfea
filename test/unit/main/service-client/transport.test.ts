import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { errors } from 'undici'
import { type TransportFault, transportFault } from '../../../../src-main/service/transport'

/** One of undici's errors: its code, whether a report may have left when it is raised, and when it is raised. */
type Row = [code: string | undefined, sent: boolean, why: string]

/**
 * Every error of undici 8.12.4, from its source. "before" requires that every place that raises it comes before the
 * first `socket.write` of the request; a single place after it, or one that can't be told apart, makes it "sent".
 */
const ofUndici: Record<string, Row> = {
  ConnectTimeoutError: [
    'UND_ERR_CONNECT_TIMEOUT',
    false,
    'the timer of core/connect, cleared when the connection stands',
  ],
  ClientClosedError: ['UND_ERR_CLOSED', false, 'dispatch of a closed dispatcher, before the request is queued'],
  InvalidArgumentError: ['UND_ERR_INVALID_ARG', false, 'the constructor of the request; no proxy, no redirects here'],
  MaxOriginsReachedError: ['UND_ERR_MAX_ORIGINS_REACHED', false, 'dispatch of the agent, before it has a client'],
  BalancedPoolMissingUpstreamError: ['UND_ERR_BPL_MISSING_UPSTREAM', false, 'dispatch of a pool without upstreams'],
  SecureProxyConnectionError: ['UND_ERR_PRX_TLS', false, 'the tunnel through the proxy could not be built'],
  ProxyConnectionError: ['UND_ERR_PRX_CONN', false, 'the tunnel through the proxy could not be built'],
  WebAssemblyNotSupportedError: ['ERR_WEBASSEMBLY_NOT_SUPPORTED', false, 'the parser is made before the first write'],

  HeadersTimeoutError: ['UND_ERR_HEADERS_TIMEOUT', true, 'it was written, and no answer began'],
  BodyTimeoutError: ['UND_ERR_BODY_TIMEOUT', true, 'the answer began and stopped'],
  SocketError: ['UND_ERR_SOCKET', true, '"other side closed" comes before and after the service read the request'],
  AbortError: ['UND_ERR_ABORT', true, 'at any moment'],
  RequestAbortedError: ['UND_ERR_ABORTED', true, 'at any moment'],
  ClientDestroyedError: ['UND_ERR_DESTROYED', true, 'given to those that wait and to those on the wire alike'],
  HeadersOverflowError: ['UND_ERR_HEADERS_OVERFLOW', true, 'an answer came'],
  ResponseContentLengthMismatchError: ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', true, 'an answer came'],
  ResponseExceededMaxSizeError: ['UND_ERR_RES_EXCEEDED_MAX_SIZE', true, 'an answer came'],
  RequestContentLengthMismatchError: ['UND_ERR_REQ_CONTENT_LENGTH_MISMATCH', true, 'of a stream, in the middle of it'],
  NotSupportedError: ['UND_ERR_NOT_SUPPORTED', true, 'of a header before, of a body after'],
  InformationalError: ['UND_ERR_INFO', true, 'resets of all kinds'],
  HTTPParserError: [undefined, true, 'what came is not HTTP: something answered'],
  ResponseError: ['UND_ERR_RESPONSE', true, 'an answer came'],
  RequestRetryError: ['UND_ERR_REQ_RETRY', true, 'an answer came'],
  MaxRedirectsError: ['UND_ERR_REDIRECT_MAX', true, 'an answer came'],
  Socks5ProxyError: ['UND_ERR_SOCKS5', true, 'one without the code of a step; those that name the step are below'],
  MessageSizeExceededError: ['UND_ERR_WS_MESSAGE_SIZE_EXCEEDED', true, 'a web socket stands'],
  InvalidReturnValueError: ['UND_ERR_INVALID_RETURN_VALUE', true, 'of what takes the answer in'],
  UndiciError: ['UND_ERR', true, 'says nothing'],
}

/** The errors of the installed undici, constructed as undici does. */
const installed = Object.entries(errors).map(([name, Type]) => {
  const made: unknown = Reflect.construct(Type, ['said', undefined, {}])
  return { name, made }
})

const systemError = (code: string, syscall: string) => Object.assign(new Error(`${syscall} ${code}`), { code, syscall })
const coded = (code: string) => Object.assign(new Error(code), { code })
const before = (code: string): TransportFault => ({ code, sent: false })
const after = (code: string): TransportFault => ({ code, sent: true })
const untold = after('UNKNOWN')

describe('a request without an answer', () => {
  it('has a decision for every error of the installed undici, and no others', () => {
    expect(installed.map(({ name }) => name).sort()).toEqual(Object.keys(ofUndici).sort())
  })

  it.each(installed)('is decided as in the table for $name', ({ name, made }) => {
    const [code, sent] = ofUndici[name] ?? []
    expect(transportFault(made)).toEqual({ code: code ?? 'UNKNOWN', sent })
  })

  it('counts as sent after an error of the HTTP parser', () => {
    const parsing: unknown = Reflect.construct(errors.HTTPParserError, ['Invalid', 'INVALID_CONSTANT', 'x'])
    expect(transportFault(parsing)).toEqual(after('HPE_INVALID_CONSTANT'))
  })

  it.each(['VERSION', 'AUTH_REJECTED', 'AUTH_METHOD', 'REPLY_1', 'REPLY_VERSION', 'ADDR_TYPE'])(
    'was never sent if a SOCKS proxy ends the handshake with %s',
    (step) => {
      const code = `UND_ERR_SOCKS5_${step}`
      expect(transportFault(new errors.Socks5ProxyError('said', code))).toEqual(before(code))
      expect(transportFault(coded(`UND_ERR_SOCKS5_NEWER_${step}`)).sent).toBe(true)
    },
  )

  const ofTheSystem = [
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'ENETUNREACH',
    'EHOSTUNREACH',
    'ENETDOWN',
    'ETIMEDOUT',
    'EADDRNOTAVAIL',
    'ECONNRESET',
    'ECONNABORTED',
    'EPIPE',
    'EACCES',
    'EMFILE',
  ]
  it.each(ofTheSystem)(
    'with %s was never sent while connecting or resolving the name, and may have been sent otherwise',
    (code) => {
      for (const syscall of ['connect', 'getaddrinfo']) {
        expect(transportFault(systemError(code, syscall))).toEqual(before(code))
      }
      for (const syscall of ['read', 'write', 'shutdown', '', 'CONNECT']) {
        expect(transportFault(systemError(code, syscall))).toEqual(after(code))
      }
      expect(transportFault(coded(code))).toEqual(after(code))
    },
  )

  it.each([
    'CERT_HAS_EXPIRED',
    'CERT_NOT_YET_VALID',
    'CERT_REVOKED',
    'CERT_UNTRUSTED',
    'CERT_SIGNATURE_FAILURE',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'HOSTNAME_MISMATCH',
    'INVALID_PURPOSE',
  ])('was never sent if the certificate was rejected: %s', (code) => {
    expect(transportFault(coded(code))).toEqual(before(code))
  })

  it.each([
    // The server can send these at any moment: with TLS 1.3 it refuses our certificate only after the request was sent.
    'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
    'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE',
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
    'EPROTO',
    // Codes without a decision.
    'UND_ERR_OF_TOMORROW',
    'ERR_SOMETHING',
    '',
  ])('may have been sent for %s', (code) => {
    expect(transportFault(coded(code))).toEqual(after(code))
  })

  it('was never sent if no address of the host could be connected to', () => {
    const refused = systemError('ECONNREFUSED', 'connect')
    const tooSlow = systemError('ETIMEDOUT', 'connect')
    expect(transportFault(new AggregateError([refused, tooSlow]))).toEqual(before('ECONNREFUSED'))
    expect(transportFault(Object.assign(new AggregateError([tooSlow]), { code: 'ETIMEDOUT' }))).toEqual(
      before('ETIMEDOUT'),
    )
    expect(transportFault(coded('ERR_SOCKET_CONNECTION_TIMEOUT'))).toEqual(before('ERR_SOCKET_CONNECTION_TIMEOUT'))
    const normalized = Object.assign(new errors.ConnectTimeoutError(), { cause: new AggregateError([tooSlow]) })
    expect(transportFault(normalized)).toEqual(before('UND_ERR_CONNECT_TIMEOUT'))
  })

  it('may have been sent if one of several errors says so', () => {
    const refused = systemError('ECONNREFUSED', 'connect')
    const reset = systemError('ECONNRESET', 'read')
    expect(transportFault(new AggregateError([refused, reset]))).toEqual(after('ECONNRESET'))
    expect(transportFault(new AggregateError([refused, undefined]))).toEqual(untold)
    expect(transportFault(new AggregateError([refused, new AggregateError([refused, new Error('?')])]))).toEqual(untold)
    expect(transportFault(new AggregateError([]))).toEqual(untold)
  })

  it('is decided by the causes of errors without a code, down to the first error with one', () => {
    const refused = systemError('ECONNREFUSED', 'connect')
    expect(transportFault(new TypeError('fetch failed', { cause: refused }))).toEqual(before('ECONNREFUSED'))
    expect(transportFault(new Error('a', { cause: new Error('b', { cause: refused }) }))).toEqual(
      before('ECONNREFUSED'),
    )
    expect(transportFault(Object.assign(coded('ERR_OUTER'), { cause: refused }))).toEqual(after('ERR_OUTER'))
  })

  it("is decided for values that aren't errors, and for circular causes", () => {
    for (const thing of [undefined, null, 'ECONNREFUSED', 42, true, Symbol('x'), () => 'ECONNREFUSED', {}, []]) {
      expect(transportFault(thing)).toEqual(untold)
    }
    const self = new Error('self')
    self.cause = self
    const ring = new Error('ring', { cause: new Error('ring') })
    if (ring.cause instanceof Error) ring.cause.cause = ring
    const nest = new AggregateError([new Error('inner')])
    nest.errors.push(nest)
    for (const circular of [self, ring, nest]) expect(transportFault(circular)).toEqual(untold)
    // Each error holds the previous one twice: visited repeatedly, sixty levels would never end.
    let doubled: Error = systemError('ECONNREFUSED', 'connect')
    for (let level = 0; level < 60; level++) doubled = new AggregateError([doubled, doubled])
    expect(transportFault(doubled)).toEqual(untold)
  })

  it('is decided for errors whose fields have the wrong type, throw, or nest without end', () => {
    const throws = Object.defineProperty(new Error('x'), 'code', {
      get() {
        throw new Error('not even that')
      },
    })
    let deep: unknown = systemError('ECONNREFUSED', 'connect')
    for (let depth = 0; depth < 200_000; depth++) deep = { cause: deep }
    const wrong = [
      { code: 20 },
      { code: null },
      { errors: 'none' },
      { errors: [], cause: null },
      { code: {}, cause: 7 },
    ]
    for (const one of [throws, deep, ...wrong]) expect(transportFault(one)).toEqual(untold)
    expect(transportFault({ code: 'ECONNREFUSED', syscall: 7 })).toEqual(after('ECONNREFUSED'))
    expect(transportFault(new DOMException('aborted', 'AbortError'))).toEqual(untold)
  })

  it('gets a code and a sent flag for any value', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, maxDepth: 4 }), (thing) => {
        const fault = transportFault(thing)
        expect(typeof fault.code).toBe('string')
        // No random value is one of the few proofs that nothing was sent.
        expect(fault.sent).toBe(true)
      }),
    )
  })
})
