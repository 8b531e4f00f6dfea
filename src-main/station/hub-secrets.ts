import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { HubSecretPlace } from '../../src-shared/ipc/contract/join'
import type { JoinedHub } from '../../src-shared/ipc/contract/hub'
import type { ProfileId } from '../../src-shared/ipc/contract/station'
import type { Clock } from '../core/clock'
import type { Keychain } from '../credentials/keychain'
import type { EntryList } from '../credentials/store'
import { StoreKey } from '../hub/store-identity'
import { parseStored } from '../database/settings'

/** What a station needs of its hub beyond the address: the role's password, and the key that seals customers. */
export interface HubSecret {
  password: string
  /** 32 bytes in Base64, made by the first station of the store. */
  storeKey: string
}

const HubSecretEntry = z.object({ password: z.string().min(1), storeKey: StoreKey, for: z.string() })
type HubSecretEntry = z.infer<typeof HubSecretEntry>

type Server = Pick<JoinedHub, 'host' | 'port' | 'user'>

/** Short, because keychain entries are limited. */
const hashOf = ({ host, port, user }: Server) =>
  createHash('sha256').update(`${user}@${host}:${port}`).digest().subarray(0, 16).toString('base64url')

/** A keychain that refused may have asked a person, so it isn't asked again for this long, in ms. */
const rest = 60_000

/**
 * Password and store key of each profile's hub: in the keychain, one entry per profile. Without a usable keychain, in memory
 * until the app quits; never anywhere else. Like client ids, they are only for the server that they were entered for.
 */
export function createHubSecrets({
  keychain,
  entries,
  clock,
}: {
  keychain: Keychain
  entries: EntryList
  clock: Clock
}) {
  const inMemory = new Map<ProfileId, HubSecretEntry>()
  /** What the keychain answered: an entry; `gone`; `unreadable` with the time. */
  const known = new Map<ProfileId, HubSecretEntry | 'gone' | { refusedAt: number }>()
  const underWay = new Map<ProfileId, Promise<void>>()
  const accountOf = (id: ProfileId) => `hub/${id}`

  const ask = async (id: ProfileId): Promise<void> => {
    const read = await keychain.read(accountOf(id))
    if (!read.ok) {
      // Without a keychain there is nothing in it.
      known.set(id, read.error.code === 'keychain/missing' ? 'gone' : { refusedAt: clock.now() })
      return
    }
    known.set(id, (read.value === null ? undefined : parseStored(HubSecretEntry, read.value)) ?? 'gone')
  }
  /** One request at a time, and none while a refusal rests. */
  const look = async (id: ProfileId) => {
    if (inMemory.has(id)) return
    const answer = known.get(id)
    if (typeof answer === 'object') {
      const since = 'refusedAt' in answer ? clock.now() - answer.refusedAt : 0
      if (since >= 0 && since < rest) return
    }
    const asked = underWay.get(id) ?? ask(id).finally(() => underWay.delete(id))
    underWay.set(id, asked)
    await asked
  }

  const find = async (id: ProfileId, server: Server): Promise<{ place: HubSecretPlace; secret: HubSecret | null }> => {
    await look(id)
    const found = inMemory.get(id) ?? known.get(id) ?? 'gone'
    if (found === 'gone') return { place: 'gone', secret: null }
    if ('refusedAt' in found) return { place: 'unreadable', secret: null }
    // An edited station.json must not send the password elsewhere.
    if (found.for !== hashOf(server)) return { place: 'gone', secret: null }
    const { password, storeKey } = found
    return { place: inMemory.has(id) ? 'memory' : 'keychain', secret: { password, storeKey } }
  }

  const write = async (id: ProfileId, entry: HubSecretEntry): Promise<void> => {
    const { password, storeKey, for: server } = entry
    const written = await keychain.write(accountOf(id), JSON.stringify({ password, storeKey, for: server }), () => {
      // A prompt was answered late.
      if (inMemory.get(id) === entry) kept(id, entry)
    })
    if (written.ok) kept(id, entry)
    else inMemory.set(id, entry)
  }
  const kept = (id: ProfileId, entry: HubSecretEntry) => {
    inMemory.delete(id)
    known.set(id, entry)
    entries.note(accountOf(id), true)
  }
  /** A keychain that refuses keeps its entry, which nothing uses any more. */
  const forget = async (id: ProfileId): Promise<void> => {
    inMemory.delete(id)
    known.delete(id)
    const removed = await keychain.remove(accountOf(id))
    if (removed.ok) entries.note(accountOf(id), false)
  }

  return {
    /** The secret, if it is here and for this server, and where it is kept. */
    find,
    forget,
    /** Call when a person is present: a keychain that refused is asked again, and gets what is in memory. */
    async askAgain(): Promise<void> {
      known.clear()
      for (const [id, entry] of [...inMemory]) await write(id, entry)
    },
    /** Returns how to put the earlier secret back. */
    async put(id: ProfileId, server: Server, secret: HubSecret): Promise<() => Promise<void>> {
      await look(id)
      const found = inMemory.get(id) ?? known.get(id)
      const before = typeof found === 'object' && 'for' in found ? found : undefined
      await write(id, { ...secret, for: hashOf(server) })
      return () => (before ? write(id, before) : forget(id))
    },
  }
}

export type HubSecrets = ReturnType<typeof createHubSecrets>
