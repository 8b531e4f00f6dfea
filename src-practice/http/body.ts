import { type Result, err, ok } from '../../src-shared/result'
import type { Ctx } from './context'

/** Largest body taken, in bytes: some forty thousand TagIDs. */
const largestBody = 1_000_000

/** Largest body with files in it, in bytes: the largest video in Base64, or three pictures. */
export const largestUpload = 30_000_000

/** The text of a request; the error is the answer: 413 for too much, 400 for bytes that are no UTF-8. */
export async function readText(c: Ctx, largest = largestBody): Promise<Result<string, Response>> {
  // Fatal: bytes that are no UTF-8 must not become replacement characters in an order id.
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let size = 0
  const chunks: AsyncIterable<unknown> | [] = c.req.raw.body ?? []
  try {
    for await (const chunk of chunks) {
      if (!(chunk instanceof Uint8Array)) continue
      size += chunk.length
      // What is too much is still read, and let go: a client that is cut off while it sends never sees the answer.
      if (size <= largest) text += decoder.decode(chunk, { stream: true })
    }
    return size > largest ? err(tooLarge(c, largest)) : ok(text + decoder.decode())
  } catch (cause) {
    return err(parseError(c, cause))
  }
}

/** The JSON of a request; the error is the answer: 415 for another content type, 400 for text that is no JSON. */
export async function readJson(c: Ctx, largest = largestBody): Promise<Result<unknown, Response>> {
  const type = c.req.header('Content-Type') ?? ''
  if (mediaType(type) !== 'application/json') {
    return err(c.json({ detail: `Unsupported media type "${type}" in request.` }, 415))
  }
  const text = await readText(c, largest)
  if (!text.ok) return text
  try {
    const json: unknown = JSON.parse(text.value)
    return ok(json)
  } catch (cause) {
    return err(parseError(c, cause))
  }
}

/** A content type without its parameters. */
export const mediaType = (type: string): string => type.split(';')[0]?.trim().toLowerCase() ?? ''

const parseError = (c: Ctx, cause: unknown) =>
  c.json({ detail: `JSON parse error - ${cause instanceof Error ? cause.message : String(cause)}` }, 400)

const tooLarge = (c: Ctx, largest: number) => c.json({ detail: `The request is larger than ${largest} bytes.` }, 413)
