import { createHash } from 'node:crypto'
import type { ProfileId } from '../../src-shared/ipc/connection-view'
import { ok } from '../../src-shared/result'
import type { ServiceProduct } from '../../src-shared/service/token'
import type { KnownClients } from '../credentials/store'
import { saved } from '../store/saved'
import type { StationFile } from './station-file'

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
