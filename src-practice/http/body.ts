import { type Result, err, ok } from '../../src-shared/result'
import type { Ctx } from './context'

/** Largest body taken, in bytes: some ten thousand TagIDs. */
export const largestBody = 1_000_000

/** The JSON of a request; the error is the answer: 415 for another content type, 400 for text that is no JSON. */
export async function readJson(c: Ctx): Promise<Result<unknown, Response>> {
  const type = c.req.header('Content-Type') ?? ''
  if (type.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    return err(c.json({ detail: `Unsupported media type "${type}" in request.` }, 415))
  }
  const bytes = await c.req.arrayBuffer()
  try {
    // Fatal: bytes that are no UTF-8 must not become replacement characters in an order id.
    const json: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return ok(json)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    return err(c.json({ detail: `JSON parse error - ${reason}` }, 400))
  }
}
