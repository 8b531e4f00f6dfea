import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { resolve } from 'node:path'
import type { ResultOf } from '../../src-shared/errors'
import { err, ok } from '../../src-shared/result'
import { settleWithin } from '../core/async'
import type { Keychain, KeychainCode } from '../credentials/keychain'
import { PinHash } from '../station/station-file'
import { parseStored } from '../database/settings'

/**
 * A second copy of the PIN in the keychain, which takes precedence, so that editing or deleting the station's file
 * doesn't remove the lock. Only the scrypt hash is stored, as in the file.
 */
export interface KeptPin {
  /** Null if there is none or the keychain didn't answer; then the PIN in the file counts. */
  read(): PinHash | null
  /** Fails if the keychain may hold another PIN and can't be written. */
  write(pin: PinHash | null): Promise<ResultOf<null, KeychainCode>>
  /** Call when the keychain answers that didn't at the start: its PIN counts from now on. Never fails. */
  askAgain(): Promise<void>
}

export async function openKeptPin(parts: {
  keychain: Keychain
  /** Each of a user's stations has its own PIN. */
  dataDir: string
  /** Whether the keychain has just answered: one that waits for a person isn't asked twice during a start. */
  isUsable: boolean
  /** The PIN in the station's file, copied to the keychain the first time. */
  ofFile: PinHash | null
  /** Called when the keychain has answered, possibly after the start. */
  onLate?: () => void
  /** Aborts when the start no longer waits for the keychain. If omitted, the start waits without a limit. */
  patience?: AbortSignal
}): Promise<KeptPin> {
  const { keychain, dataDir, isUsable, ofFile, onLate, patience } = parts
  const account = `pin/${createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 16)}`
  let pin: PinHash | null = null
  let isRead = false
  let isWritten = false
  let asking: Promise<void> | undefined

  const put = (next: PinHash | null, onLate?: () => void) =>
    next === null ? keychain.remove(account, onLate) : keychain.write(account, JSON.stringify(next), onLate)
  let writing: Promise<unknown> = Promise.resolve()
  /** A write reported as failed succeeded late: the current PIN is written again, after any pending write. */
  const putBack = () => {
    writing = writing.then(() => put(pin, putBack))
  }
  const write = async (next: PinHash | null): Promise<ResultOf<null, KeychainCode>> => {
    isWritten = true
    const asked = put(next, putBack)
    writing = asked
    const written = await asked
    // If there is no keychain, it can't hold another PIN.
    if (!written.ok && (pin !== null || written.error.code !== 'keychain/missing')) return err(written.error)
    pin = written.ok ? next : null
    return ok(null)
  }
  const load = async () => {
    const stored = await keychain.read(account)
    // A PIN set in the meantime takes precedence over a late answer.
    if (!stored.ok || isWritten) return
    isRead = true
    pin = stored.value === null ? null : (parseStored(PinHash, stored.value) ?? null)
    if (pin === null && ofFile !== null) await write(ofFile)
  }
  /** One request at a time. */
  const ask = () => (asking ??= load().finally(() => (asking = undefined)))

  if (isUsable) {
    const asked = ask()
    void asked.then(() => onLate?.())
    await settleWithin(asked, Number.POSITIVE_INFINITY, patience)
  }
  return {
    read: () => pin,
    write,
    async askAgain() {
      if (isRead || isWritten) return
      await ask()
      onLate?.()
    },
  }
}

/** scrypt with N = 2^15 and r = 8: about 100 ms and 32 MB per try. Slow tries protect the short PIN. */
const cost = 2 ** 15
const length = 32

export async function hashPin(pin: string): Promise<PinHash> {
  const salt = randomBytes(16)
  return { salt: salt.toString('base64'), hash: (await derive(pin, salt, cost)).toString('base64'), cost }
}

export async function isPin(pin: string, { salt, hash, cost: itsCost }: PinHash): Promise<boolean> {
  const expected = Buffer.from(hash, 'base64')
  const derived = await derive(pin, Buffer.from(salt, 'base64'), itsCost)
  return expected.length === derived.length && timingSafeEqual(expected, derived)
}

const derive = (pin: string, salt: Buffer, N: number) =>
  new Promise<Buffer>((resolve, reject) => {
    scrypt(pin, salt, length, { N, r: 8, p: 1, maxmem: 256 * N * 8 }, (error, key) => {
      if (error) reject(error)
      else resolve(key)
    })
  })
