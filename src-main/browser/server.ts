import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { WebSocketServer } from 'ws'
import { z } from 'zod'
import type { App } from '../app/compose'
import { secretFilePath } from '../../src-shared/ipc/contract/join'
import { securityHeaders } from '../core/content-security-policy'
import { type Answering, createDispatch } from '../ipc/dispatch'
import { startPagePolicy } from '../support/start-page'
import type { Pages } from './pages'
import type { SecretFile } from './secret-file'
import { createSessions, isFromLinkFile, isOwnRequest } from './session'
import { type ConnectedPage, createFrontPage, largestMessage, serveSocket } from './socket'

// An import reads every export of the module, and one of them loads Node's own fetch, which nothing here uses.
const { createServer } = process.getBuiltinModule('node:http')

interface BrowserHostParts {
  app: Answering & Pick<App, 'events'>
  /** 0 picks a free port. */
  port: number
  /** Serves the page: the built files, or Vite in development. */
  pages: (server: Server) => Promise<Pages>
  /** Changes the headers in development, where Vite adds inline styles. */
  headers?: (own: Record<string, string>) => Record<string, string>
  /** Called once the one-time token was used. */
  onEntered?: () => void
  /** A secret that main gave to be downloaded; none if omitted. */
  secretFile?: Pick<SecretFile, 'take'>
}

/** The close code for an invalid session, because the renderer can't see the status of a refused upgrade. */
const notAdmitted = 4401

/**
 * Serves the app to a browser on this computer: 127.0.0.1 only, with a one-time token; Host and Origin are checked on
 * every request. Rejects if the port is taken.
 */
export async function startBrowserHost({ app, port, pages, headers, onEntered, secretFile }: BrowserHostParts) {
  const server = createServer()
  await listen(server, port)
  const bound = portOf(server.address())
  const sessions = createSessions(() => bound, onEntered)
  const dispatch = createDispatch<ConnectedPage>({ station: app, isTrusted: (page) => page.isAdmitted })
  const front = createFrontPage<ConnectedPage>()
  const own = securityHeaders([`ws://127.0.0.1:${bound}`, `ws://localhost:${bound}`])
  const allHeaders = Object.entries(headers?.(own) ?? own)
  const page = await pages(server)

  server.on('request', (request, response) => {
    for (const [name, value] of allHeaders) response.setHeader(name, value)
    const changes = request.method !== 'GET' && request.method !== 'HEAD'
    if (request.url === '/enter' && isFromLinkFile(request, bound)) void enter(request, response)
    else if (!isOwnRequest(request, bound, changes)) answer(response, 403)
    else if (request.url === '/session' && request.method === 'POST') void openSession(request, response)
    else if (changes) answer(response, 405)
    else if (request.url === secretFilePath) download(request, response)
    else page(request, response)
  })

  const sockets = new WebSocketServer({ noServer: true, maxPayload: largestMessage })
  server.on('upgrade', (request, socket, head) => {
    // Without a listener, a broken socket would end the process from here on.
    socket.on('error', () => socket.destroy())
    const isOurs = request.url === '/ipc'
    // In development, Vite uses the same server.
    if (!isOurs && server.listenerCount('upgrade') > 1) return
    if (!isOurs || !isOwnRequest(request, bound, true)) {
      socket.end(`HTTP/1.1 ${isOurs ? '403 Forbidden' : '404 Not Found'}\r\nConnection: close\r\n\r\n`)
      return
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      if (sessions.isOpen(request)) serveSocket(webSocket, { dispatch, events: app.events, front })
      else webSocket.close(notAdmitted, 'no session')
    })
  })

  async function openSession(request: IncomingMessage, response: ServerResponse) {
    const body = Session.safeParse(jsonOf(await readText(request)))
    const cookie = body.success ? sessions.open(body.data.token) : undefined
    if (cookie !== undefined) response.setHeader('set-cookie', cookie)
    // After a reload the page sends the used token again; then the cookie counts.
    answer(response, cookie !== undefined || sessions.isOpen(request) ? 204 : 401)
  }

  function download(request: IncomingMessage, response: ServerResponse) {
    const text = sessions.isOpen(request) && request.method === 'GET' ? secretFile?.take() : null
    if (text == null) {
      answer(response, 404)
      return
    }
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'content-disposition': 'attachment' }
    response.writeHead(200, { ...headers, 'cache-control': 'no-store' }).end(text)
  }

  /** The form of the file that the opener is given. Without a valid token the page says what is wrong. */
  async function enter(request: IncomingMessage, response: ServerResponse) {
    const token = new URLSearchParams(await readText(request)).get('token')
    const cookie = token === null ? undefined : sessions.open(token)
    if (cookie !== undefined) response.setHeader('set-cookie', cookie)
    response.writeHead(303, { location: '/', 'cache-control': 'no-store' }).end()
  }

  const origin = `http://127.0.0.1:${bound}`
  return {
    /** The URL with the one-time token: `http://127.0.0.1:PORT/#TOKEN`. */
    url: `${origin}/#${sessions.token}`,
    /** The same URL as origin and token. */
    link: { origin, token: sessions.token },
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type BrowserHost = Awaited<ReturnType<typeof startBrowserHost>>

const Session = z.object({ token: z.string().max(200) })

/** The most bytes read of a request's body. */
const largestBody = 1_000

/** The body of a request; empty if it is too long or breaks off. */
async function readText(request: IncomingMessage): Promise<string> {
  try {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) {
      text += String(chunk)
      if (text.length > largestBody) return ''
    }
    return text
  } catch {
    return ''
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const answer = (response: ServerResponse, status: number) => void response.writeHead(status).end()

const listen = (server: Server, port: number) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })

const portOf = (address: AddressInfo | string | null) => {
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  return address.port
}

/** Serves the page of a failed start to a browser on this computer, on a separate port. Returns its URL. */
export async function serveStartProblem(html: string): Promise<string> {
  const server = createServer((request, response) => {
    const headers = { ...securityHeaders(), 'content-security-policy': `${startPagePolicy}; frame-ancestors 'none'` }
    const isReading = request.method === 'GET' || request.method === 'HEAD'
    const status =
      !isOwnRequest(request, portOf(server.address()), false) || !isReading ? 403 : request.url === '/' ? 200 : 404
    response.writeHead(status, { ...headers, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    response.end(status === 200 ? html : '')
  })
  await listen(server, 0)
  return `http://127.0.0.1:${portOf(server.address())}/`
}
