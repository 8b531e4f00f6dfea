import { createPublicKey, sign, verify } from 'node:crypto'
import { z } from 'zod'

/** What describes an update (latest.yml), as it was read: everything in it but the signature is signed. */
const Described = z.record(z.string(), z.unknown())

/** The same bytes for the same content, whatever the order of its fields. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    const fields = Object.entries(value).filter(([, each]) => each !== undefined)
    fields.sort(([one], [other]) => (one < other ? -1 : 1))
    return `{${fields.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(',')}}`
  }
  return JSON.stringify(value)
}

const signedPart = (description: Record<string, unknown>) => {
  const { signature: _signature, ...rest } = description
  return Buffer.from(`countertag update\n${canonical(rest)}`)
}

/** The signature (Ed25519, base64) that belongs into the field `signature` of that description. `privateKey` is PEM. */
export const signUpdate = (description: Record<string, unknown>, privateKey: string): string =>
  sign(null, signedPart(description), privateKey).toString('base64')

/**
 * Whether whoever holds the private key wrote that description, the hash of the download included. The server that
 * gives it, and everything on the way from there, need not be trusted.
 *
 * @param publicKey base64 of the key's DER form (SPKI)
 */
export function isSignedUpdate(description: unknown, publicKey: string): boolean {
  const read = Described.safeParse(description)
  const signature = read.data?.signature
  if (!read.success || typeof signature !== 'string') return false
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
    // Another kind of key would be another kind of signature.
    if (key.asymmetricKeyType !== 'ed25519') return false
    return verify(null, signedPart(read.data), key, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}
