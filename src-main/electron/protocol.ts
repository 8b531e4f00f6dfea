import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { protocol } from 'electron'
import { securityHeaders } from '../core/content-security-policy'

const scheme = 'app'
const host = 'countertag'

/** The origin of the app's page, and of nothing else. */
export const appOrigin = `${scheme}://${host}`

/** Whether a URL, or an origin as Electron writes it ("app://countertag/"), is of the app's page. */
export function isOfApp(url: string): boolean {
  const parsed = URL.parse(url)
  return parsed?.protocol === `${scheme}:` && parsed.host === host
}

/** Tells Chromium that app:// has origins and is as secure as https. Call before Electron is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ])
}

/** Serves the built renderer in `folder` as app://countertag/. Call after Electron is ready. */
export function serveRenderer(folder: string): void {
  protocol.handle(scheme, (request) => respond(request, folder))
}

const contentTypes: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.webp', 'image/webp'],
  ['.ico', 'image/x-icon'],
  ['.woff2', 'font/woff2'],
  ['.wav', 'audio/wav'],
  ['.mp3', 'audio/mpeg'],
])

/**
 * File names in the form the build produces. Nothing is decoded and names can't begin with a dot, so no encoding of a
 * parent folder, a drive or a backslash can match.
 */
const plainPath = /^(\/[\w-][\w.-]*)+$/

async function respond(request: Request, folder: string): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(405)
  if (!isOfApp(request.url)) return refuse(403)
  const { pathname } = new URL(request.url)
  const path = pathname === '/' ? '/index.html' : pathname
  const contentType = contentTypes.get(extname(path))
  if (!plainPath.test(path) || contentType === undefined) return refuse(403)
  try {
    const body = await readFile(join(folder, path))
    return new Response(new Uint8Array(body), { headers: { ...securityHeaders(), 'content-type': contentType } })
  } catch {
    return refuse(404)
  }
}

const refuse = (status: number) =>
  new Response(null, { status, headers: { ...securityHeaders(), 'content-type': 'text/plain' } })
