import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { AppError } from '../../src-shared/errors'
import { type Result, err, ok } from '../../src-shared/result'
import type { Clock } from '../clock'
import { type Keychain, type KeychainError, startupKeychain } from '../credentials/keychain'
import type { EntryList } from '../credentials/store'
import { makeOwnFolder, writeWhole } from '../store/files'
import { asStartError } from '../store/start-error'
import { type Seal, createSeal } from './seal'

/**
 * The seal of a running station. A keychain that was locked at the start, and was opened since, is asked anew when there
 * is something that can't be opened: nothing goes out without its customer because of a keychain that only needs a word.
 */
interface StationSeal extends Seal {
  /** Where the key in use is. */
  place(): DataKeys['place']
  /** A person stands by: a keychain that may hide a key is asked, however it answered a moment ago. Never fails. */
  askAgain(): Promise<void>
}

interface StationSealParts {
  keychain: Keychain
  /** The key's file, for want of a keychain. */
  file: string
  /** Whether a key was put into the keychain: then a keychain that is missing is one that hides it. */
  entries: EntryList
  clock: Clock
  /** Called when the keychain answers that did not before. */
  onAnswer: () => void
  /** Aborted when the start no longer waits for the keychain; left out, it waits as long as that takes. */
  patience?: AbortSignal
}

/** A question may stand on the screen: it is not put again for so many ms. */
const rest = 60_000

/** Throws AppStartError when the disk refuses. */
export async function openStationSeal(parts: StationSealParts): Promise<StationSeal> {
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
      // What is sealed by now with a key stays readable, whatever the keychain says of it later.
      if (!found.trouble) place = found.place
      keys = found.trouble ? joined(keys, found.keys) : joined(found.keys, keys)
    } catch {
      // The key's file can't be read or written: as good as a keychain that gives no answer.
      trouble = { code: 'keychain/failing' }
    }
    current = createSeal(keys)
    if (isKept()) entries.note(dataKeyAccount, true)
    if (before && !hidden()) onAnswer()
  }
  /** One question at a time, however many want to know. */
  const ask = () => {
    underWay ??= load().finally(() => (underWay = undefined))
    return underWay
  }
  // The question of the start is still on the screen: its answer counts, and no other is put beside it.
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
    async reveal(sealed): Promise<Result<string, AppError>> {
      const own = current.open(sealed)
      if (own !== undefined) return ok(own)
      const known = hidden()
      const asking = askUnlessJustAsked()
      // Sales without a customer must not wait for a prompt that stays open.
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

/** The keys that customers are sealed with, the one in use first, and where that is. */
interface DataKeys {
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
