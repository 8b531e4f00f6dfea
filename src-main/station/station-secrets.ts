import { join } from 'node:path'
import { type StationSeal, openStationSeal } from '../privacy/station-seal'
import { type KeptPin, openKeptPin } from '../security/pin'
import type { StationContext } from './station-context'

/** Long enough for a slow keychain, in ms. */
const usualPatience = 3_000

/**
 * The key that seals customers, and the manager's PIN. `onLatePin`: called when the keychain has said late which PIN there is.
 * Throws AppStartError.
 */
export async function openStationSecrets(
  { surroundings, files, clock, core }: Pick<StationContext, 'surroundings' | 'files' | 'clock' | 'core'>,
  onLatePin: () => void,
): Promise<{ seal: StationSeal; pin: KeptPin }> {
  const { dataDir, keychainPatience = usualPatience } = surroundings
  const { file, entries } = files
  // One time limit for all keychain requests of the start.
  const patience = new AbortController()
  const timer = setTimeout(() => {
    patience.abort()
  }, keychainPatience)
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
    // The whole keychain: the PIN is identified by the folder, not by the id in the station's file, which may have been removed on purpose.
    keychain: surroundings.keychain,
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
