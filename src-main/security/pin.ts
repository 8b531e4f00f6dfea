import { createHash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { resolve } from 'node:path'
import type { AppError } from '../../src-shared/errors'
import { type Result, err, ok } from '../../src-shared/result'
import { settleWithin } from '../async'
import type { Keychain } from '../credentials/keychain'
import { PinHash } from '../station/station-file'
import { parseStored } from '../store/settings'

/**
 * The PIN once more, in the keychain, where it counts: editing or deleting the station's file doesn't take
 * the lock away with it. Only its scrypt hash, as in the file.
 */
export interface KeptPin {
  /** Null if there is none, or the keychain could not be asked: then the PIN in the file counts. */
  read(): PinHash | null
  /** Errors: those of a keychain that may hold another PIN and does not let it be replaced. */
  write(pin: PinHash | null): Promise<Result<null, AppError>>
  /** The keychain answers that did not at the start: what it holds counts from now on. Never fails. */
  askAgain(): Promise<void>
}

interface KeptPinParts {
  keychain: Keychain
  /** Several stations of one user have a PIN each. */
  dataDir: string
  /** Whether the keychain answered just now: one that waits for a person is not asked twice at a start. */
  isUsable: boolean
  /** What stands in the station's file, to be taken over the first time. */
  ofFile: PinHash | null
  /** Called when the keychain has said what it holds: that may be later than the start. */
  onLate?: () => void
  /** Aborted when the start no longer waits for the keychain; left out, it waits as long as that takes. */
  patience?: AbortSignal
}

export async function openKeptPin(parts: KeptPinParts): Promise<KeptPin> {
  const { keychain, dataDir, isUsable, ofFile, onLate, patience } = parts
  const account = `pin/${createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 16)}`
  let pin: PinHash | null = null
  let isRead = false
  let isWritten = false
  let asking: Promise<void> | undefined

  const put = (next: PinHash | null, onLate?: () => void) =>
    next === null ? keychain.remove(account, onLate) : keychain.write(account, JSON.stringify(next), onLate)
  let writing: Promise<unknown> = Promise.resolve()
  /** Setting a PIN was reported as failed, and it was set: the current PIN is written again, after any pending write. */
  const putBack = () => {
    writing = writing.then(() => put(pin, putBack))
  }
  const write = async (next: PinHash | null): Promise<Result<null, AppError>> => {
    isWritten = true
    const asked = put(next, putBack)
    writing = asked
    const written = await asked
    // Without a keychain there can't be another PIN in it.
    if (!written.ok && (pin !== null || written.error.code !== 'keychain/missing')) return err(written.error)
    pin = written.ok ? next : null
    return ok(null)
  }
  const load = async () => {
    const stored = await keychain.read(account)
    // A person who set one meanwhile knows better than an answer that is late.
    if (!stored.ok || isWritten) return
    isRead = true
    pin = stored.value === null ? null : (parseStored(PinHash, stored.value) ?? null)
    if (pin === null && ofFile !== null) await write(ofFile)
  }
  /** One question at a time. */
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

/** 2^15 rounds of 8 blocks: some 100 ms and 32 MB a try. A PIN is short: what guards it is that tries take long. */
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
