/** What stands in the place of a secret. */
const censor = '[redacted]'

/** The secrets that this process knows, so that none of them is stored or shown when an answer or an error repeats it. */
export interface Secrets {
  /** Takes a token, a client secret, a password. One that is too short to tell from an ordinary word is not kept. */
  add(secret: string): void
  /** The text without them. */
  scrub(text: string): string
}

/** In characters. */
const shortest = 8
/** A token lasts for hours: the oldest of so many is long past. */
const mostKept = 100

export function createSecrets(): Secrets {
  /** Longest first: a secret may be part of another. */
  let forms: string[] = []
  const known = new Set<string>()

  return {
    add(secret) {
      if (secret.length < shortest) return
      // Added again, it is the newest.
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

/** A secret as it stands in a header, a JSON text and a form. */
const formsOf = (secret: string) => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret.toWellFormed()),
  new URLSearchParams([['', secret]]).toString().slice(1),
]

/** The shortest word that is looked for; a shorter one stands in too many texts. */
const shortestWord = 3
const ofWord = /[\w-]/

/** The text without a word, where that is not part of a longer one. */
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

/** A JSON value with each of its texts, names included, as `change` makes it. Its depth must be bounded. */
export function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => withTexts(one, change))
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [change(name), withTexts(one, change)]))
}

/** Parts of the names of fields that must not be written down: credentials, tokens, customers. */
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
