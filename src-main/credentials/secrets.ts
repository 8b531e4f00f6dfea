/** The replacement for a secret. */
const censor = '[redacted]'

/** The secrets known to this process. They are removed from answers and errors before those are stored or shown. */
export interface Secrets {
  /** Adds a token, a client secret or a password. A secret that is too short to tell from an ordinary word is not kept. */
  add(secret: string): void
  /** The text without the known secrets. */
  scrub(text: string): string
}

/** In characters. */
const shortest = 8
/** A token lasts for hours, so the oldest of this many has long expired. */
const mostKept = 100

export function createSecrets(): Secrets {
  /** Longest first, because one secret may be part of another. */
  let forms: string[] = []
  const known = new Set<string>()

  return {
    add(secret) {
      if (secret.length < shortest) return
      // A secret that is added again becomes the newest.
      if (known.delete(secret)) {
        known.add(secret)
        return
      }
      known.add(secret)
      for (const oldest of known) {
        if (known.size <= mostKept) break
        known.delete(oldest)
      }
      forms = [...new Set([...known].flatMap(formsOf))].sort((a, b) => b.length - a.length)
    },
    scrub(text) {
      let rest = text
      for (const form of forms) if (rest.includes(form)) rest = rest.replaceAll(form, censor)
      return rest
    },
  }
}

/** A secret in the forms used by headers, JSON and URL-encoded forms. */
const formsOf = (secret: string) => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret.toWellFormed()),
  new URLSearchParams([['', secret]]).toString().slice(1),
]

/** The shortest word that is searched for; shorter ones occur in too many texts. */
const shortestWord = 3
const ofWord = /[\w-]/

/** The text without a word, except where the word is part of a longer one. */
export function withoutWord(text: string, word: string): string {
  if (word.length < shortestWord) return text
  let rest = ''
  let from = 0
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (at < from) continue
    const end = at + word.length
    if (ofWord.test(text.charAt(at - 1)) || ofWord.test(text.charAt(end))) continue
    rest += text.slice(from, at) + censor
    from = end
  }
  return rest + text.slice(from)
}

/** A JSON value with `change` applied to each string, property names included. The depth of the value must be bounded. */
export function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => withTexts(one, change))
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [change(name), withTexts(one, change)]))
}

/** Parts of the names of fields that must not be logged: credentials, tokens, customers. */
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
  'storekey',
  'joincode',
]
/** Too short to be searched for within longer names. */
const secretNames = new Set(['pin', 'newpin', 'oldpin', 'pins'])

/** A secret within a text: in a header, a form, a body or a URL. The text before the secret is kept. */
const secretTexts = [
  /(bearer\s+|basic\s+)[\w.~+/=-]+/gi,
  /((?:access[_-]?token|client[_-]?id|client[_-]?secret|customer[_-]?id|password|pin)["']?\s*[=:]\s*["']?)[^\s"'&,;}]+/gi,
  /(\/\/)[^\s/@:]+:[^\s/@]+(?=@)/g,
  /(CTJOIN1)[A-Z2-7]+/gi,
]

const deepest = 8

/** `client_id`, `clientId` and `Client-ID` count as one name; so do plurals such as `tokens` and `customerIds`. */
function isSecret(name: string): boolean {
  const plain = name.replaceAll(/[^a-z]/gi, '').toLowerCase()
  return secretNames.has(plain) || secretStems.some((stem) => plain.includes(stem))
}

/**
 * A copy without fields named like a secret, at any depth, and without anything in a text that looks like a secret. An
 * error keeps only the fields that say what happened. Very deep or circular values are cut off.
 */
export const redactedFields = (fields: object, scrub: Scrub = (text) => text): Record<string, unknown> =>
  entriesOf(fields, 0, scrub)

/** Removes the known secrets from a text. */
type Scrub = (text: string) => string

/** A text without known secrets and without anything that looks like a secret. */
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
