import { createHash, randomUUID } from 'node:crypto'
import type { ProfileId } from '../../src-shared/ipc/contract/station'
import { ok } from '../../src-shared/result'
import type { ServiceProduct } from '../../src-shared/service/token'
import type { Keychain } from '../credentials/keychain'
import type { EntryList, KnownClients } from '../credentials/store'
import { saved } from '../database/saved'
import { asStartError } from '../database/start-error'
import type { StationFile } from './station-file'

/** The id that tells this station from the user's other stations; generated at the first start. Throws AppStartError. */
export function stationIdOf(file: StationFile, path: string): string {
  const { stationId } = file.read()
  if (stationId !== undefined && file.problem === null) return stationId
  // Written again if the file was set aside.
  const drawn = stationId ?? randomUUID()
  try {
    file.change((settings) => ({ ...settings, stationId: drawn }))
  } catch (cause) {
    // Keychain entries under an id that isn't saved would be lost.
    throw asStartError(path, cause)
  }
  return drawn
}

/**
 * This station's part of the keychain. The keychain belongs to the user, who may have several stations, each with its own
 * data folder.
 */
export function keychainOf(keychain: Keychain, stationId: string): Keychain {
  const own = (account: string) => `${stationId}/${account}`
  return {
    read: (account) => keychain.read(own(account)),
    write: (account, secret, onLate) => keychain.write(own(account), secret, onLate),
    remove: (account, onLate) => keychain.remove(own(account), onLate),
  }
}

/** Records in the station's file which accounts are in the keychain: only their names, never their contents. */
export const entryList = (file: StationFile): EntryList => ({
  has: (account) => file.read().inKeychain.includes(account),
  note(account, isThere) {
    const { inKeychain } = file.read()
    if (inKeychain.includes(account) === isThere) return
    const others = inKeychain.filter((one) => one !== account)
    // If the disk refuses, a vanished entry is only reported as missing.
    saved(() => {
      file.change((settings) => ({ ...settings, inKeychain: isThere ? [...others, account] : others }))
      return ok(null)
    })
  },
})

/**
 * Stored as hashes in the station's file, so that a client id can be recognized but not read, even after the keychain
 * lost it.
 */
export function knownClients(file: StationFile): KnownClients {
  const accountOf = (id: ProfileId, product: ServiceProduct) => `${id}/${product}`
  const hashOf = (account: string, clientId: string) =>
    createHash('sha256').update(`${account}\n${clientId}`).digest('hex')
  return {
    isOther(id, product, clientId) {
      const account = accountOf(id, product)
      const known = file.read().clients[account]
      return known !== undefined && known !== hashOf(account, clientId)
    },
    note(id, product, clientId) {
      const account = accountOf(id, product)
      const mark = hashOf(account, clientId)
      if (file.read().clients[account] === mark) return ok(null)
      return saved(() => {
        file.change((settings) => ({ ...settings, clients: { ...settings.clients, [account]: mark } }))
        return ok(null)
      })
    },
  }
}
