import type { EntryList } from '../credentials/store'
import { saved } from '../store/saved'
import { ok } from '../../src-shared/result'
import type { StationFile } from './station-file'

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
