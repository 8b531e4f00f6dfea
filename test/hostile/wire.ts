import { setTimeout as pause } from 'node:timers/promises'
import type { Socket } from 'node:net'
import type { Answer, Visit } from './misbehaviour'

/** Answers, written byte by byte. A header may be there twice, or hold what no library would send. */

export type Header = readonly [name: string, value: string]

export interface Said {
  headers?: readonly Header[]
  /** Null leaves it out. */
  contentType?: string | null
  /** Left out, the moment of the answer; null for none. */
  date?: string | null
  /** Left out, that of the body; null for none: the end of the connection ends the body. */
  contentLength?: string | null
  /** Left out, `close`. */
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

/** What the body is made of: fixed, or of what was asked. */
export type BodySource = string | Buffer | ((visit: Visit) => string | Buffer)

const bytesOf = (source: BodySource, visit: Visit): Buffer => {
  const made = typeof source === 'function' ? source(visit) : source
  return typeof made === 'string' ? Buffer.from(made) : made
}

/** A whole answer, and the connection is closed. */
export const says =
  (status: number | string, source: BodySource, said: Said = {}): Answer =>
  (visit) => {
    const body = bytesOf(source, visit)
    visit.socket.write(headOf(status, body, said), 'latin1')
    visit.socket.end(body)
  }

/** Bytes as they are, and the connection is closed. */
export const raw =
  (source: BodySource): Answer =>
  (visit) => {
    visit.socket.end(bytesOf(source, visit))
  }

/** Bytes as they are, and then nothing more. */
export const rawThenSilence =
  (source: BodySource): Answer =>
  (visit) => {
    visit.socket.write(bytesOf(source, visit))
  }

export const silence: Answer = () => undefined

/** The connection is torn, with or without something said before. */
export const tears =
  (source: BodySource = ''): Answer =>
  (visit) => {
    const bytes = bytesOf(source, visit)
    if (bytes.length === 0) visit.socket.resetAndDestroy()
    else visit.socket.write(bytes, () => visit.socket.resetAndDestroy())
  }

/** One answer after a while. */
export const late =
  (ms: number, answer: Answer): Answer =>
  async (visit) => {
    await pause(ms, undefined, { ref: false })
    await answer(visit)
  }

/** What the real service said, whole. */
export const asReal =
  (said: Said = {}): Answer =>
  (visit) => {
    const { real } = visit
    if (!real) visit.socket.destroy()
    else void says(real.status, real.body, { contentType: real.contentType, ...said })(visit)
  }

/** What the real service read out, with some of its fields changed: by their name, wherever they stand. */
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

/** First `head`, then `text` again and again, a piece every `ms`, until the station hangs up. */
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

/** First `head`, then as many bytes of `piece` as said, as fast as they are taken. */
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

/** A yes as the practice service gives it to a sale. */
export const plainYes = '{"status":"success","request_id":"0e7f6a0e-6a0e-4a0e-8a0e-6a0e7f6a0e7f"}'

/** A path that nothing but a link of the service leads to. */
export const elsewhere = '/elsewhere'

/** The address of the same machine under another name: another origin. */
export const otherOrigin = ({ socket }: Visit) => `http://localhost:${socket.localPort ?? 0}${elsewhere}/`
