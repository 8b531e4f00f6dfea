import { setTimeout as pause } from 'node:timers/promises'
import type { Socket } from 'node:net'
import type { Answer, Visit } from './misbehaviour'

/** Answers, written byte by byte. A header may occur twice, or hold content that no library would send. */

export type Header = readonly [name: string, value: string]

export interface Said {
  headers?: readonly Header[]
  /** Null leaves it out. */
  contentType?: string | null
  /** Default: the time of the answer; null for none. */
  date?: string | null
  /** Default: the body's length; null for none: the end of the connection ends the body. */
  contentLength?: string | null
  /** Default: `close`. */
  connection?: 'close' | 'keep-alive'
}

/** The head of an answer, as text. */
export function headOf(status: number | string, body: Buffer, said: Said = {}): string {
  const { headers = [], contentType = 'application/json' } = said
  const { date = new Date().toUTCString(), contentLength = String(body.length), connection = 'close' } = said
  const all: Header[] = [
    ...(date === null ? [] : [['Date', date] as const]),
    ...(contentType === null ? [] : [['Content-Type', contentType] as const]),
    ...(contentLength === null ? [] : [['Content-Length', contentLength] as const]),
    ['Connection', connection],
    ...headers,
  ]
  return [`HTTP/1.1 ${status} Odd`, ...all.map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n')
}

/** The source of the body: fixed, or made from the request. */
export type BodySource = string | Buffer | ((visit: Visit) => string | Buffer)

const bytesOf = (source: BodySource, visit: Visit): Buffer => {
  const made = typeof source === 'function' ? source(visit) : source
  return typeof made === 'string' ? Buffer.from(made) : made
}

/** A complete answer, then the connection closes. */
export const says =
  (status: number | string, source: BodySource, said: Said = {}): Answer =>
  (visit) => {
    const body = bytesOf(source, visit)
    visit.socket.write(headOf(status, body, said), 'latin1')
    visit.socket.end(body)
  }

/** Raw bytes, then the connection closes. */
export const raw =
  (source: BodySource): Answer =>
  (visit) => {
    visit.socket.end(bytesOf(source, visit))
  }

/** Raw bytes, then nothing more. */
export const rawThenSilence =
  (source: BodySource): Answer =>
  (visit) => {
    visit.socket.write(bytesOf(source, visit))
  }

export const silence: Answer = () => undefined

/** The connection breaks, with or without bytes sent before. */
export const tears =
  (source: BodySource = ''): Answer =>
  (visit) => {
    const bytes = bytesOf(source, visit)
    if (bytes.length === 0) visit.socket.resetAndDestroy()
    else visit.socket.write(bytes, () => visit.socket.resetAndDestroy())
  }

/** One answer after a delay. */
export const late =
  (ms: number, answer: Answer): Answer =>
  async (visit) => {
    await pause(ms, undefined, { ref: false })
    await answer(visit)
  }

/** The real service's complete answer. */
export const asReal =
  (said: Said = {}): Answer =>
  (visit) => {
    const { real } = visit
    if (!real) visit.socket.destroy()
    else void says(real.status, real.body, { contentType: real.contentType, ...said })(visit)
  }

/** The real service's reading with some of its fields changed, by name, wherever they occur. */
export const rewritten =
  (change: (key: string, value: unknown, visit: Visit) => unknown): Answer =>
  (visit) => {
    const { real } = visit
    if (!real) {
      visit.socket.destroy()
      return
    }
    const text = real.body.toString('utf8')
    const isJson = real.contentType.includes('json') && text !== ''
    const body = isJson ? JSON.stringify(JSON.parse(text, (key, value: unknown) => change(key, value, visit))) : text
    void says(real.status, body, { contentType: real.contentType })(visit)
  }

/** First `head`, then `text` repeatedly, a piece every `ms`, until the station hangs up. */
export const drips =
  (head: BodySource, text: string, ms: number): Answer =>
  (visit) => {
    const { socket } = visit
    socket.write(bytesOf(head, visit))
    const timer = setInterval(() => {
      if (socket.destroyed || !socket.writable) clearInterval(timer)
      else socket.write(text)
    }, ms)
    socket.once('close', () => {
      clearInterval(timer)
    })
  }

/** First `head`, then the given number of bytes of `piece`, as fast as they are read. */
export const pours =
  (head: string, piece: Buffer, bytes: number, tail = ''): Answer =>
  async ({ socket }) => {
    socket.write(head)
    for (let sent = 0; sent < bytes && !socket.destroyed; sent += piece.length) {
      if (!socket.write(piece.subarray(0, Math.min(piece.length, bytes - sent)))) await drained(socket)
    }
    if (!socket.destroyed) socket.end(tail)
  }

const drained = (socket: Socket) =>
  new Promise<void>((resolve) => {
    const done = () => {
      socket.off('drain', done)
      socket.off('close', done)
      resolve()
    }
    socket.on('drain', done)
    socket.on('close', done)
  })

/** The practice service's yes to a sale. */
export const plainYes = '{"status":"success","request_id":"0e7f6a0e-6a0e-4a0e-8a0e-6a0e7f6a0e7f"}'

/** A path that only a link of the service leads to. */
export const elsewhere = '/elsewhere'

/** The address of the same machine under another name: another origin. */
export const otherOrigin = ({ socket }: Visit) => `http://localhost:${socket.localPort ?? 0}${elsewhere}/`
