import { createHash } from 'node:crypto'
import type { ProfileId } from '../../src-shared/ipc/connection-view'
import { ok } from '../../src-shared/result'
import type { ServiceProduct } from '../../src-shared/service/token'
import { saved } from '../store/saved'
import type { StationFile } from './station-file'

/** Which client id an account had last. The service takes a report for the store of the client id that sends it. */
export interface KnownClients {
  /** Whether the account had another one; not of one that never had any. */
  isOther(id: ProfileId, product: ServiceProduct, clientId: string): boolean
  note(id: ProfileId, product: ServiceProduct, clientId: string): void
}

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
      if (file.read().clients[account] === mark) return
      // On a disk that refuses, the next change of it is not asked about.
      saved(() => {
        file.change((settings) => ({ ...settings, clients: { ...settings.clients, [account]: mark } }))
        return ok(null)
      })
    },
  }
}
