import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ResultOf } from '../../src-shared/errors'
import { err, ok } from '../../src-shared/result'
import type { Clock } from '../core/clock'
import { type Keychain, type KeychainCode, type KeychainError, startupKeychain } from '../credentials/keychain'
import type { EntryList } from '../credentials/store'
import { makeOwnFolder, writeWhole } from '../database/files'
import { asStartError } from '../database/start-error'
import { type Seal, createSeal } from './seal'

/**
 * The seal of a running station. If a text can't be opened, a keychain that was locked at the start is asked again,
 * because it may have been unlocked since: a report must not lose its customer to a locked keychain.
 */
export interface StationSeal extends Seal {
  /** Where the key in use is kept. */
  place(): DataKeys['place']
  /** Call when a person is present: asks a keychain that may hold a key again, regardless of its last answer. Never fails. */
  askAgain(): Promise<void>
}

/** A prompt may be on the screen, so the keychain isn't asked again for this long, in ms. */
const rest = 60_000

/** Throws AppStartError if the disk refuses. */
export async function openStationSeal(parts: {
  keychain: Keychain
  /** The file for the key, used without a keychain. */
  file: string
  /** Shows whether a key was saved in the keychain; if so, a missing keychain counts as one that still holds it. */
  entries: EntryList
  clock: Clock
  /** Called when the keychain answers after it hadn't before. */
  onAnswer: () => void
  /** Aborts when the start no longer waits for the keychain. If omitted, the start waits without a limit. */
  patience?: AbortSignal
}): Promise<StationSeal> {
  const { keychain, file, entries, clock, onAnswer, patience } = parts
  const atStart = startupKeychain(keychain, patience)
  let { keys, place, trouble } = await dataKeys(atStart.keychain, file)
  let current = createSeal(keys)
  let askedAt = clock.now()
  let underWay: Promise<void> | undefined
  const isKept = () => place === 'keychain'
  if (isKept()) entries.note(dataKeyAccount, true)

  /** Why a key may exist that can't be read now; null if none is missing. */
  const hidden = (): KeychainError | null =>
    trouble?.code === 'keychain/missing' && !entries.has(dataKeyAccount) ? null : trouble

  const load = async () => {
    askedAt = clock.now()
    const before = hidden()
    try {
      const found = await dataKeys(keychain, file, keys[0])
      trouble = found.trouble
      // Keys already used for sealing are kept, regardless of the keychain's later answers.
      if (!found.trouble) place = found.place
      keys = found.trouble ? joined(keys, found.keys) : joined(found.keys, keys)
    } catch {
      // The key's file can't be read or written, which counts as a failing keychain.
      trouble = { code: 'keychain/failing' }
    }
    current = createSeal(keys)
    if (isKept()) entries.note(dataKeyAccount, true)
    if (before && !hidden()) onAnswer()
  }
  /** One request at a time, shared by all callers. */
  const ask = () => {
    underWay ??= load().finally(() => (underWay = undefined))
    return underWay
  }
  // The prompt of the start is still open: its answer counts, and no second prompt is shown.
  const late = atStart.late()
  const answered = async (isAnswer: boolean) => {
    if (isAnswer) await load()
    else askedAt = clock.now()
  }
  if (late) underWay = late.then(answered).finally(() => (underWay = undefined))

  const askUnlessJustAsked = (): Promise<void> => {
    const since = clock.now() - askedAt
    return hidden() && since >= 0 && since < rest ? Promise.resolve() : ask()
  }

  return {
    seal: (text) => current.seal(text),
    open: (sealed) => current.open(sealed),
    forms: (text) => current.forms(text),
    async reveal(sealed): Promise<ResultOf<string, KeychainCode | 'outbox/customer-lost'>> {
      const own = current.open(sealed)
      if (own !== undefined) return ok(own)
      const known = hidden()
      const asking = askUnlessJustAsked()
      // Other reports must not wait while a prompt stays open.
      if (known) return err(known)
      await asking
      const found = current.open(sealed)
      return found === undefined ? err(hidden() ?? { code: 'outbox/customer-lost' }) : ok(found)
    },
    async allKeys() {
      await ask()
      const trouble = hidden()
      return trouble ? err(trouble) : ok(null)
    },
    place: () => place,
    askAgain: () => (hidden() ? ask() : Promise.resolve()),
  }
}

type Keys = DataKeys['keys']
const joined = (some: Keys, others: Keys): Keys => [
  ...some,
  ...others.filter((key) => some.every((one) => !one.equals(key))),
]

const dataKeyAccount = 'data-key'
const length = 32

/** The keys for sealing customers, the one in use first, and where that one is kept. */
interface DataKeys {
  keys: [Buffer, ...Buffer[]]
  /** `file`: beside the data, readable only for this user, used without a keychain. */
  place: 'keychain' | 'file'
  /** Why the keychain could not say whether it holds a key. */
  trouble: KeychainError | null
}

/**
 * Reads the keys; creates one at the first start. Without a usable keychain the key is kept in a file, so that a sale
 * doesn't lose its customer. Once there is a keychain, the file's key moves there; a keychain that was only locked for a
 * while has its own key, and both are needed. `inUse`: the key of a running station; no other key is created then. Throws
 * AppStartError if the disk refuses.
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
