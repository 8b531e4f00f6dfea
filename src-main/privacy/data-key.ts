import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Keychain, KeychainError } from '../credentials/keychain'
import { makeOwnFolder, writeWhole } from '../store/files'
import { asStartError } from '../store/start-error'

export const dataKeyAccount = 'data-key'
const length = 32

/** The keys that customers are sealed with, the one in use first, and where that is. */
export interface DataKeys {
  keys: [Buffer, ...Buffer[]]
  /** `file`: beside the data, readable for this user alone, for want of a keychain. */
  place: 'keychain' | 'file'
  /** Why the keychain did not say whether it holds a key. */
  trouble: KeychainError | null
}

/**
 * Made at the first start. Where the keychain can't be used, the key lies in a file: a sale must not lose its customer
 * because a till has no keychain. Once there is one, the file's key moves there; a keychain that was only locked for a
 * while has a key of its own, and both are needed. `inUse` is the key of a station that runs already: none is made beside
 * it. Throws AppStartError when the disk refuses.
 */
export async function dataKeys(keychain: Keychain, file: string, inUse?: Buffer): Promise<DataKeys> {
  try {
    return await findOrMake(keychain, file, inUse)
  } catch (cause) {
    throw asStartError(file, cause)
  }
}

async function findOrMake(keychain: Keychain, file: string, inUse: Buffer | undefined): Promise<DataKeys> {
  const stored = await keychain.read(dataKeyAccount)
  const trouble = stored.ok ? null : stored.error
  const ofKeychain = stored.ok && stored.value !== null ? decoded(stored.value) : undefined
  const ofFile = keyIn(file)
  if (ofKeychain) return { keys: ofFile ? [ofKeychain, ofFile] : [ofKeychain], place: 'keychain', trouble }
  const key = ofFile ?? inUse ?? randomBytes(length)
  if (stored.ok && (await keychain.write(dataKeyAccount, key.toString('base64'))).ok) {
    rmSync(file, { force: true })
    return { keys: [key], place: 'keychain', trouble }
  }
  if (!ofFile && !inUse) write(file, key)
  return { keys: [key], place: 'file', trouble }
}

function keyIn(file: string): Buffer | undefined {
  return existsSync(file) ? decoded(readFileSync(file, 'utf8')) : undefined
}

function write(file: string, key: Buffer): void {
  makeOwnFolder(dirname(file))
  writeWhole(file, `${key.toString('base64')}\n`, 0o600)
}

function decoded(text: string): Buffer | undefined {
  const key = Buffer.from(text.trim(), 'base64')
  return key.length === length ? key : undefined
}
