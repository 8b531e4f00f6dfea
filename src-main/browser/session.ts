import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const secret = () => randomBytes(24).toString('base64url')

/** Compares texts of any length in constant time. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

/**
 * Access to the app over loopback: first with the one-time token of the start, then with a cookie in the browser
 * that used the token. Other programs on this computer and other sites in the browser have neither. `port` is part of the
 * cookie's name, because cookies are shared between ports.
 */
export function createSessions(port: () => number, onOpened: () => void = () => undefined) {
  const token = secret()
  const session = secret()
  let isUsed = false
  const cookieName = () => `countertag-${port()}`
  return {
    /** The one-time token, valid for one `open`. */
    token,
    /** The value of a Set-Cookie header; undefined if the token is wrong or already used. */
    open(given: string): string | undefined {
      if (isUsed || !isSame(given, token)) return undefined
      isUsed = true
      onOpened()
      return `${cookieName()}=${session}; Path=/; HttpOnly; SameSite=Strict`
    },
    isOpen(request: IncomingMessage) {
      const cookies = (request.headers.cookie ?? '').split(';').map((cookie) => cookie.trim())
      const own = cookies.find((cookie) => cookie.startsWith(`${cookieName()}=`))
      return own !== undefined && isSame(own.slice(cookieName().length + 1), session)
    },
  }
}

/**
 * Whether a request's Host is this server and its Origin, if present, is the app's own page. A foreign site that resolves
 * its name to 127.0.0.1 (DNS rebinding) fails the Host check; any other foreign site fails the Origin check.
 */
export function isOwnRequest(request: IncomingMessage, port: number, mustHaveOrigin: boolean): boolean {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`]
  const { host, origin } = request.headers
  if (host === undefined || !hosts.includes(host)) return false
  if (origin === undefined) return !mustHaveOrigin
  return hosts.some((own) => origin === `http://${own}`)
}

/**
 * Whether a request is the form of a file on this computer. A file has no origin, and neither has a foreign site that hides
 * its own: what counts is the token in the form.
 */
export function isFromLinkFile(request: IncomingMessage, port: number): boolean {
  const { host = '', origin } = request.headers
  return request.method === 'POST' && origin === 'null' && host === `127.0.0.1:${port}`
}
