import { createHash, randomUUID } from 'node:crypto'
import type { ProfileId } from '../../src-shared/ipc/contract/station'
import { ok } from '../../src-shared/result'
import type { ServiceProduct } from '../../src-shared/service/token'
import type { Keychain } from '../credentials/keychain'
import type { EntryList, KnownClients } from '../credentials/store'
import { saved } from '../store/saved'
import { asStartError } from '../store/start-error'
import type { StationFile } from './station-file'

/** Which station this is, of those of one user of the computer; drawn at the first start. Throws AppStartError. */
export function stationIdOf(file: StationFile, path: string): string {
  const { stationId } = file.read()
  if (stationId !== undefined && file.problem === null) return stationId
  // If the file was set aside, it is written again.
  const drawn = stationId ?? randomUUID()
  try {
    file.change((settings) => ({ ...settings, stationId: drawn }))
  } catch (cause) {
    // What is put into the keychain under a number that is forgotten again is lost.
    throw asStartError(path, cause)
  }
  return drawn
}

/**
 * The part of the keychain that is this station's: the keychain is the user's, who may have several, each with a data
 * folder of its own.
 */
export function keychainOf(keychain: Keychain, stationId: string): Keychain {
  const own = (account: string) => `${stationId}/${account}`
  return {
    read: (account) => keychain.read(own(account)),
    write: (account, secret, onLate) => keychain.write(own(account), secret, onLate),
    remove: (account, onLate) => keychain.remove(own(account), onLate),
  }
}

/** Remembers in the station's file which accounts the keychain holds: their names, and nothing of what they are. */
export const entryList = (file: StationFile): EntryList => ({
  has: (account) => file.read().inKeychain.includes(account),
  note(account, isThere) {
    const { inKeychain } = file.read()
    if (inKeychain.includes(account) === isThere) return
    const others = inKeychain.filter((one) => one !== account)
    // On a disk that refuses, an entry that vanishes is only called missing.
    saved(() => {
      file.change((settings) => ({ ...settings, inKeychain: isThere ? [...others, account] : others }))
      return ok(null)
    })
  },
})

/** In the station's file, as a hash: it is told again and not read, also when the keychain has lost it. */
export function knownClients(file: StationFile): KnownClients {
  const accountOf = (id: ProfileId, product: ServiceProduct) => `${id}/${product}`
  const markOf = (account: string, clientId: string) =>
    createHash('sha256').update(`${account}\n${clientId}`).digest('hex')
  return {
    isOther(id, product, clientId) {
      const account = accountOf(id, product)
      const known = file.read().clients[account]
      return known !== undefined && known !== markOf(account, clientId)
    },
    note(id, product, clientId) {
      const account = accountOf(id, product)
      const mark = markOf(account, clientId)
      if (file.read().clients[account] === mark) return ok(null)
      return saved(() => {
        file.change((settings) => ({ ...settings, clients: { ...settings.clients, [account]: mark } }))
        return ok(null)
      })
    },
  }
}
