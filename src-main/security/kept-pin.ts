import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import type { AppError } from '../../src-shared/errors'
import { type Result, err, ok } from '../../src-shared/result'
import type { Keychain } from '../credentials/keychain'
import { PinHash } from '../station/station-file'
import { parseStored } from '../store/settings'

/**
 * The PIN once more, in the keychain, and there it counts: whoever edits the station's file, or deletes it, does not take
 * the lock away with it. Only its scrypt hash, as in the file.
 */
export interface KeptPin {
  /** Null when there is none, or nobody could be asked: then the file is all there is. */
  read(): PinHash | null
  /** Errors: those of a keychain that may hold another PIN and does not let it be replaced. */
  write(pin: PinHash | null): Promise<Result<null, AppError>>
}

export interface KeptPinParts {
  keychain: Keychain
  /** Several stations of one user have a PIN each. */
  dataDir: string
  /** Whether the keychain answered just now: one that waits for a person is not asked twice at a start. */
  isUsable: boolean
  /** What stands in the station's file, to be taken over the first time. */
  ofFile: PinHash | null
}

export async function openKeptPin({ keychain, dataDir, isUsable, ofFile }: KeptPinParts): Promise<KeptPin> {
  const account = `pin/${createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 16)}`
  const stored = isUsable ? await keychain.read(account) : undefined
  let pin = stored?.ok && stored.value !== null ? (parseStored(PinHash, stored.value) ?? null) : null

  const write: KeptPin['write'] = async (next) => {
    const written = next === null ? await keychain.remove(account) : await keychain.write(account, JSON.stringify(next))
    // Where there is no keychain there is no other PIN in it.
    if (!written.ok && (pin !== null || written.error.code !== 'keychain/missing')) return err(written.error)
    pin = written.ok ? next : null
    return ok(null)
  }
  if (stored?.ok && pin === null && ofFile !== null) await write(ofFile)
  return { read: () => pin, write }
}
