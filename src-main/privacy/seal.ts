import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import type { ResultOf } from '../../src-shared/errors'
import { err, ok } from '../../src-shared/result'
import type { KeychainCode } from '../credentials/keychain'

/**
 * Encrypts texts so that only this station can read them: the customer ids of the store. The same text always gives the
 * same sealed text, so that it can be searched without opening everything.
 */
export interface Seal {
  seal(text: string): string
  /** Opens with the available keys. A text that was never sealed is returned unchanged. */
  open(sealed: string): string | undefined
  /** Every form in which a text may be stored: sealed with each key, or plain. */
  forms(text: string): string[]
  /**
   * Opens a text, fetching more keys if needed. `outbox/customer-lost`: the key no longer exists; after the other errors
   * the keychain may hold it.
   */
  reveal(sealed: string): Promise<ResultOf<string, KeychainCode | 'outbox/customer-lost'>>
  /** Makes sure that every key is available: the keychain may hold another one. */
  allKeys(): Promise<ResultOf<null, KeychainCode>>
}

const mark = 'sealed:1:'
const nonceLength = 12
const tagLength = 16

/** Seals with the first key and opens with any of `keys`, without fetching more. */
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

/** AES-256-GCM. The nonce is derived from the text with a separate key, so that no nonce is used for two texts. */
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
        // Sealed by another station, or modified.
        return undefined
      }
    },
  }
}

/** Seals nothing; texts stay plain. */
export const unsealed: Seal = {
  seal: (text) => text,
  open: (text) => text,
  forms: (text) => [text],
  reveal: (text) => Promise.resolve(ok(text)),
  allKeys: () => Promise.resolve(ok(null)),
}
