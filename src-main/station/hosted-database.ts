import { renameSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { HostedStore, HostingState } from '../../src-shared/ipc/contract/hosting'
import type { Log } from '../core/log'
import type { Keychain } from '../credentials/keychain'
import type { EntryList } from '../credentials/store'
import { parseStored } from '../database/settings'
import type { DatabaseHost, HostedPasswords } from '../hub/hosting/host'
import type { StationContext } from './station-context'

/** Only a station that hosts a store loads what that takes. */
export const loadHost = () => import('../hub/hosting/host')

/** A folder of this name is never a profile's. */
const folderName = 'store.hub'

/** The store's data on this computer, their passwords, and the PostgreSQL that serves them. */
export class HostedDatabase {
  readonly passwords: StoredPasswords
  readonly #context: StationContext
  readonly #addresses: () => string[]
  readonly #onState: (state: HostingState) => void
  readonly #log: Pick<Log, 'info' | 'warn'>
  readonly #folder: string
  #host: DatabaseHost | undefined

  /** `addresses`: this computer's now. `onState`: called at each change of the state. */
  constructor(context: StationContext, addresses: () => string[], onState: (state: HostingState) => void) {
    const { surroundings, files, core } = context
    this.#context = context
    this.#addresses = addresses
    this.#onState = onState
    this.#folder = join(surroundings.dataDir, folderName)
    this.passwords = new StoredPasswords(files.keychain, files.entries)
    this.#log = {
      info: (...entry) => {
        core.ifOpen?.log.info(...entry)
      },
      warn: (...entry) => {
        core.ifOpen?.log.warn(...entry)
      },
    }
  }

  state(): HostingState {
    return this.#host?.state() ?? { kind: 'off' }
  }

  async open({ address, port, folder: named }: Omit<HostedStore, 'profile'>): Promise<DatabaseHost> {
    const { surroundings, clock } = this.#context
    const places = surroundings.computer?.programPlaces
    const { DatabaseHost } = await loadHost()
    const next: DatabaseHost = new DatabaseHost({
      ...{ folder: this.#folder, address, port, computer: hostname() },
      ...{ addresses: this.#addresses, clock, log: this.#log },
      passwords: () => this.passwords.read(),
      search: { folder: named, ...(places && { places }) },
      onState: (state) => {
        if (this.#host === next) this.#onState(state)
      },
    })
    this.#host = next
    return next
  }

  retry(): void {
    this.#host?.retry()
  }

  async close(): Promise<void> {
    const before = this.#host
    await before?.stop()
    if (this.#host === before) this.#host = undefined
  }

  /** Puts the data aside, in the place of what was put aside before them. */
  putAside(): void {
    try {
      rmSync(`${this.#folder}.old`, { recursive: true, force: true })
      renameSync(this.#folder, `${this.#folder}.old`)
    } catch (cause) {
      // There is none, or a program still has a file open: the next start finds it.
      this.#log.info('the data of a store hub was not put aside', { cause })
    }
  }

  /** Ends PostgreSQL, and gives up the data and their passwords. */
  async discard(): Promise<void> {
    await this.close()
    this.putAside()
    await this.passwords.forget()
  }
}

const account = 'keep'
const Passwords = z.object({ owner: z.string().min(20), station: z.string().min(20) })

/** The passwords of the owner and of the stations' role: in the keychain, in memory if it doesn't take them. */
class StoredPasswords {
  readonly #keychain: Keychain
  readonly #entries: EntryList
  #inMemory: HostedPasswords | null = null

  constructor(keychain: Keychain, entries: EntryList) {
    this.#keychain = keychain
    this.#entries = entries
  }

  async read(): Promise<HostedPasswords | null> {
    if (this.#inMemory) return this.#inMemory
    const read = await this.#keychain.read(account)
    return read.ok && read.value !== null ? (parseStored(Passwords, read.value) ?? null) : null
  }

  async put(drawn: HostedPasswords): Promise<void> {
    this.#inMemory = drawn
    const written = await this.#keychain.write(account, JSON.stringify(drawn))
    if (!written.ok) return
    this.#inMemory = null
    this.#entries.note(account, true)
  }

  async forget(): Promise<void> {
    this.#inMemory = null
    const removed = await this.#keychain.remove(account)
    if (removed.ok) this.#entries.note(account, false)
  }
}
