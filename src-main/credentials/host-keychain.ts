import { err } from '../../src-shared/result'
import type { Keychain } from './keychain'
import { osKeychain } from './os-keychain'

/**
 * The computer's keychain, or with `COUNTERTAG_KEYCHAIN=off` none: tests and whoever tries something out leave nothing in
 * their own. Credentials are then in memory, and the key of the customers in a file, as where there is no keychain.
 */
export const hostKeychain = ({ COUNTERTAG_KEYCHAIN: wish }: NodeJS.ProcessEnv): Keychain =>
  wish === 'off' ? noKeychain : osKeychain()

const missing = () => Promise.resolve(err({ code: 'keychain/missing' as const }))

export const noKeychain: Keychain = { read: missing, write: missing, remove: missing }
