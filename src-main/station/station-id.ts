import { randomUUID } from 'node:crypto'
import type { Keychain } from '../credentials/keychain'
import { asStartError } from '../store/start-error'
import type { StationFile } from './station-file'

/** Which station this is, of those of one user of the computer; drawn at the first start. Throws AppStartError. */
export function stationIdOf(file: StationFile, path: string): string {
  const { stationId } = file.read()
  if (stationId !== undefined && file.problem === null) return stationId
  // Of a file that was set aside it is written down again.
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
