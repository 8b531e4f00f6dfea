import { censor } from './secrets'

/** Parts of names of what must not be written down: credentials, tokens, and whoever bought. */
const secretStems = [
  'authorization',
  'token',
  'clientid',
  'secret',
  'password',
  'passphrase',
  'credential',
  'cookie',
  'apikey',
  'customer',
]
/** Too short to be looked for in other words. */
const secretNames = new Set(['pin', 'newpin', 'oldpin', 'pins'])

/** A secret within a text: in a header, a form, a body, an address. What stands before it stays. */
const secretTexts = [
  /(bearer\s+|basic\s+)[\w.~+/=-]+/gi,
  /((?:access[_-]?token|client[_-]?id|client[_-]?secret|customer[_-]?id|password|pin)["']?\s*[=:]\s*["']?)[^\s"'&,;}]+/gi,
  /(\/\/)[^\s/@:]+:[^\s/@]+(?=@)/g,
]

const deepest = 8

/** `client_id`, `clientId` and `Client-ID` are one name; `tokens` and `customerIds` are as good. */
function isSecret(name: string): boolean {
  const plain = name.replaceAll(/[^a-z]/gi, '').toLowerCase()
  return secretNames.has(plain) || secretStems.some((stem) => plain.includes(stem))
}

/**
 * A copy without what goes by the name of a secret, however deep, nor what looks like one within a text. Of an error
 * stays what says what happened: whatever else was hung on it does not. What is deeper than anybody reads, or holds itself,
 * ends there.
 */
export const redactedFields = (fields: object, scrub: Scrub = (text) => text): Record<string, unknown> =>
  entriesOf(fields, 0, scrub)

/** Takes the secrets that are known out of a text. */
type Scrub = (text: string) => string

/** A text without the secrets that may stand in it. */
const redactedText = (text: string, scrub: Scrub) =>
  secretTexts.reduce((rest, pattern) => rest.replaceAll(pattern, `$1${censor}`), scrub(text))

function redacted(value: unknown, depth: number, scrub: Scrub): unknown {
  if (typeof value === 'string') return redactedText(value, scrub)
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (depth >= deepest) return '[deep]'
  if (value instanceof Error) return errorOf(value, depth, scrub)
  if (Array.isArray(value)) return value.map((one) => redacted(one, depth + 1, scrub))
  return entriesOf(value, depth, scrub)
}

const errorOf = (error: Error, depth: number, scrub: Scrub) => ({
  type: error.name,
  message: redactedText(error.message, scrub),
  ...('code' in error && (typeof error.code === 'string' || typeof error.code === 'number') && { code: error.code }),
  ...(error.stack !== undefined && { stack: redactedText(error.stack, scrub) }),
  ...(error.cause !== undefined && { cause: redacted(error.cause, depth + 1, scrub) }),
})

const entriesOf = (holder: object, depth: number, scrub: Scrub) =>
  Object.fromEntries(
    Object.entries(holder).map(([name, one]) => [name, isSecret(name) ? censor : redacted(one, depth + 1, scrub)]),
  )
