import { renameSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { HostedStore, HostingState } from '../../src-shared/ipc/contract/hosting'
import type { Clock } from '../core/clock'
import type { Log } from '../core/log'
import type { Keychain } from '../credentials/keychain'
import type { EntryList } from '../credentials/store'
import { parseStored } from '../database/settings'
import type { DatabaseHost, HostedPasswords } from '../hub/hosting/host'

export interface HostedDatabaseParts {
  dataDir: string
  keychain: Keychain
  entries: EntryList
  /** Where to look for PostgreSQL; the usual places if omitted. */
  places: (() => string[]) | undefined
  /** This computer's addresses now. */
  addresses: () => string[]
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
  /** Called at each change of the state. */
  onState: (state: HostingState) => void
}

/** Only a station that hosts a store loads what that takes. */
export const loadHost = () => import('../hub/hosting/host')

/** A folder of this name is never a profile's. */
const folderName = 'store.hub'

/** The store's data on this computer, their passwords, and the PostgreSQL that serves them. */
export class HostedDatabase {
  readonly passwords: StoredPasswords
  readonly #parts: HostedDatabaseParts
  readonly #folder: string
  #host: DatabaseHost | undefined

  constructor(parts: HostedDatabaseParts) {
    this.#parts = parts
    this.#folder = join(parts.dataDir, folderName)
    this.passwords = new StoredPasswords(parts.keychain, parts.entries)
  }

  state(): HostingState {
    return this.#host?.state() ?? { kind: 'off' }
  }

  async open({ address, port, folder: named }: Omit<HostedStore, 'profile'>): Promise<DatabaseHost> {
    const { places, addresses, clock, log, onState } = this.#parts
    const { DatabaseHost } = await loadHost()
    const next: DatabaseHost = new DatabaseHost({
      ...{ folder: this.#folder, address, port, computer: hostname(), addresses, clock, log },
      passwords: () => this.passwords.read(),
      search: { folder: named, ...(places && { places }) },
      onState: (state) => {
        if (this.#host === next) onState(state)
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
      this.#parts.log.info('the data of a store hub was not put aside', { cause })
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
