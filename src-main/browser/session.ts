import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const secret = () => randomBytes(24).toString('base64url')

/** Compares in constant time, texts of any length. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

/**
 * Access to the app over loopback: by the one-time token of the start line, and after that by a cookie of the browser that
 * used it. Other programs of this machine and other sites in the browser have neither.
 * `port` is part of the cookie's name, for cookies don't tell ports apart.
 */
export function createSessions(port: () => number) {
  const token = secret()
  const session = secret()
  let isUsed = false
  const cookieName = () => `countertag-${port()}`
  return {
    /** For the start line. Good for one `open`. */
    token,
    /** The value of a Set-Cookie header, or undefined when the token is wrong or was used. */
    open(given: string): string | undefined {
      if (isUsed || !isSame(given, token)) return undefined
      isUsed = true
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
 * Whether a request names us as its host and, if it says so, comes from our own page. A foreign site that resolves its
 * name to 127.0.0.1 (DNS rebinding) fails on the Host, one that merely calls us fails on the Origin.
 */
export function isOwnRequest(request: IncomingMessage, port: number, mustHaveOrigin: boolean): boolean {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`]
  const { host, origin } = request.headers
  if (host === undefined || !hosts.includes(host)) return false
  if (origin === undefined) return !mustHaveOrigin
  return hosts.some((own) => origin === `http://${own}`)
}
