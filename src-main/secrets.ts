/** What stands in the place of a secret. */
export const censor = '[redacted]'

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
