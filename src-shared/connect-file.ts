import type { z } from 'zod'
import type { AppError } from './errors'
import { ConnectionPreset, ProfileForm } from './ipc/contract/station'
import { type Result, err, ok } from './result'

const { dispensaryId, caFile, sendsSku } = ProfileForm.shape

/** A connection's addresses as IT hands them out: never a client id or a secret. */
export const ConnectFile = ConnectionPreset.partial().extend({
  dispensaryId: dispensaryId.optional(),
  sendsSku: sendsSku.optional(),
  caFile: caFile.optional(),
})
export type ConnectFile = z.infer<typeof ConnectFile>

/** In bytes and characters; far more than a few addresses need. */
export const largestConnectFile = 20_000

type Unusable = Extract<AppError, { code: 'connect-file/unusable' }>

const unusable = (reason: Unusable['reason'], fields: string[] = []): Result<never, Unusable> =>
  err({ code: 'connect-file/unusable', reason, fields: fields.join(', ').slice(0, longestNames) })
const longestNames = 200

/** Names under which a secret would be in the file. The address of a token endpoint is none. */
const secret = /secret|password|passwd|client.?id|api.?key|access.?token|bearer|credential/i

/** Reads a connect file. Errors: connect-file/unusable. */
export function readConnectFile(text: string): Result<ConnectFile, Unusable> {
  if (text.length > largestConnectFile) return unusable('size')
  const json = jsonOf(text)
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return unusable('type')
  // Before anything else: a person must learn that the file should not be passed around.
  const secrets = namesIn(json).filter((one) => secret.test(one))
  if (secrets.length > 0) return unusable('secret', secrets)
  const file = ConnectFile.safeParse(json)
  if (file.success) return Object.keys(file.data).length > 0 ? ok(file.data) : unusable('type')
  const unknown = file.error.issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []))
  if (unknown.length > 0) return unusable('unknown', unknown)
  return unusable('wrong', [...new Set(file.error.issues.map(({ path }) => path.join('.')))])
}

function jsonOf(text: string): unknown {
  try {
    // Windows editors may write a byte order mark.
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}

/** The names of all fields, also of nested ones. The size limit bounds the depth. */
function namesIn(json: object): string[] {
  const names: string[] = []
  const rest: unknown[] = [json]
  for (let one = rest.pop(); one !== undefined; one = rest.pop()) {
    if (typeof one !== 'object' || one === null) continue
    for (const [key, value] of Object.entries(one)) {
      names.push(key)
      rest.push(value)
    }
  }
  return names
}
