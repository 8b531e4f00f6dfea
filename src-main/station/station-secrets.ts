import { join } from 'node:path'
import type { Clock } from '../core/clock'
import type { Keychain } from '../credentials/keychain'
import { type StationSeal, openStationSeal } from '../privacy/station-seal'
import { type KeptPin, openKeptPin } from '../security/pin'
import type { CoreInUse } from './core-in-use'
import type { StationFiles } from './station-files'

interface StationSecretsParts {
  files: StationFiles
  dataDir: string
  /** The whole keychain: the PIN is identified by the folder, not by the id in the station's file, which may have been removed on purpose. */
  keychain: Keychain
  /** How long the start waits for the keychain, in ms. */
  patience: number
  clock: Clock
  core: CoreInUse
  /** Called when the keychain has said late which PIN there is. */
  onLatePin: () => void
}

/** The key that seals customers, and the manager's PIN. Throws AppStartError. */
export async function openStationSecrets(parts: StationSecretsParts): Promise<{ seal: StationSeal; pin: KeptPin }> {
  const { files, dataDir, keychain, clock, core, onLatePin } = parts
  const { file, entries } = files
  // One time limit for all keychain requests of the start.
  const patience = new AbortController()
  const timer = setTimeout(() => {
    patience.abort()
  }, parts.patience)
  let pin: KeptPin | null = null
  const seal = await openStationSeal({
    keychain: files.keychain,
    file: join(dataDir, 'data.key'),
    entries,
    clock,
    patience: patience.signal,
    onAnswer() {
      void pin?.askAgain()
      // During the start, what is still being opened will use the answer.
      if (!core.ifOpen) return
      core.log.info('the keychain answers again')
      core.ifOpen.keychainAnswers()
    },
  })
  pin = await openKeptPin({
    keychain,
    dataDir,
    isUsable: seal.place() === 'keychain',
    ofFile: file.read().security.pin,
    patience: patience.signal,
    onLate() {
      if (core.ifOpen) onLatePin()
    },
  })
  clearTimeout(timer)
  return { seal, pin }
}
