import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import type { AppError } from '../../src-shared/errors'
import { type Result, err, ok } from '../../src-shared/result'

/**
 * Texts that are written down so that only this station can read them: what a person is called in the store's own books.
 * The same text is sealed the same way each time, so that it can be looked for without opening everything.
 */
export interface Seal {
  seal(text: string): string
  /** By the keys at hand. A text that was never sealed is given back as it is. */
  open(sealed: string): string | undefined
  /** Every way in which a text may have been written down: sealed with each of the keys, or not at all. */
  forms(text: string): string[]
  /**
   * Opens it, if need be with keys that have to be fetched first. Errors: those of the keychain, which may hold the key;
   * outbox/customer-lost when there is no such key any more.
   */
  reveal(sealed: string): Promise<Result<string, AppError>>
  /** Sees to it that every key is at hand. Errors: those of the keychain, which may hold another one. */
  allKeys(): Promise<Result<null, AppError>>
}

const mark = 'sealed:1:'
const nonceLength = 12
const tagLength = 16

/** Seals with the first key, opens with any of them; there are no others. */
export function createSeal(keys: readonly [Buffer, ...Buffer[]]): Seal {
  const [first, ...older] = keys
  const all = [first, ...older].map(sealOf)
  const sealing = sealOf(first)
  const open = (sealed: string) => all.map((one) => one.open(sealed)).find((text) => text !== undefined)
  return {
    seal: sealing.seal,
    open,
    forms: (text) => [...new Set([...all.map((one) => one.seal(text)), text])],
    reveal(sealed) {
      const text = open(sealed)
      return Promise.resolve(text === undefined ? err({ code: 'outbox/customer-lost' }) : ok(text))
    },
    allKeys: () => Promise.resolve(ok(null)),
  }
}

/** AES-256-GCM; the nonce is made of the text, by a key of its own, so that none is ever used for two texts. */
function sealOf(key: Buffer): { seal: (text: string) => string; open: (sealed: string) => string | undefined } {
  const derived = (purpose: string) => createHmac('sha256', key).update(purpose).digest()
  const [cipherKey, nonceKey] = [derived('customer'), derived('nonce')]
  return {
    seal(text) {
      const nonce = createHmac('sha256', nonceKey).update(text).digest().subarray(0, nonceLength)
      const cipher = createCipheriv('aes-256-gcm', cipherKey, nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return mark + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
    },
    open(sealed) {
      if (!sealed.startsWith(mark)) return sealed
      try {
        const bytes = Buffer.from(sealed.slice(mark.length), 'base64')
        const decipher = createDecipheriv('aes-256-gcm', cipherKey, bytes.subarray(0, nonceLength))
        decipher.setAuthTag(bytes.subarray(nonceLength, nonceLength + tagLength))
        return decipher.update(bytes.subarray(nonceLength + tagLength), undefined, 'utf8') + decipher.final('utf8')
      } catch {
        // Sealed by another station, or changed.
        return undefined
      }
    },
  }
}

/** Seals nothing: texts stay as they are. */
export const unsealed: Seal = {
  seal: (text) => text,
  open: (text) => text,
  forms: (text) => [text],
  reveal: (text) => Promise.resolve(ok(text)),
  allKeys: () => Promise.resolve(ok(null)),
}
