import type { UpdateInfo } from 'electron-updater'
import type { Log } from '../log'
import type { PolicyUpdates } from '../policy/policy'
import type { UpdateOffer } from '../station/update-offer'
import { isSignedUpdate } from './update-signature'

/** What we use of electron-updater. Importing it in plain Node would load Electron: it is handed in. */
export interface Updater {
  autoDownload: boolean
  autoInstallOnAppQuit: boolean
  allowDowngrade: boolean
  allowPrerelease: boolean
  /** Setting it allows downgrades. */
  channel: string | null
  setFeedURL(feed: { provider: 'generic'; url: string }): void
  isUpdateSupported: (info: UpdateInfo) => boolean | Promise<boolean>
  on(event: 'update-downloaded', listener: (info: UpdateInfo) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  checkForUpdates(): Promise<unknown>
  quitAndInstall(isSilent: boolean, isForceRunAfter: boolean): void
}

export interface UpdatesParts {
  updater: Updater
  /** What IT set: left out, as the package was built. */
  policy?: Pick<PolicyUpdates, 'channel' | 'url'>
  /** Of whoever may release; base64 of its DER form. */
  publicKey: string
  /** How many operations are on their way to the service at this moment. */
  sending: () => number
  /** Where the page asks the person, who says when. */
  offer: Pick<UpdateOffer, 'offer' | 'view' | 'withdraw'>
  /** Closes the core: nothing is sent any more, everything is on the disk. `graceMs`: for what is on the wire. */
  close: (graceMs: number) => Promise<void>
  /** Lets the process that the installer starts be the one Countertag: called once everything is closed. */
  makeWay: () => void
  /** Starts the app anew, when it is closed already and the update could not be installed. */
  restart: () => void
  log: Log
}

export interface Updates {
  /** Looks for an update, and fetches it. Fails quietly: the next look comes. */
  check(): Promise<void>
  /** Installs what a person agreed to, once nothing is being sent. To be called every few seconds. */
  consider(): Promise<void>
}

/**
 * Fetches updates in the background and installs one only when a person agreed and nothing is being sent. An update
 * that is not signed is not even downloaded. Quitting the app installs nothing.
 */
export function createUpdates(parts: UpdatesParts): Updates {
  const { updater, policy = {}, publicKey, sending, offer, close, makeWay, restart, log } = parts
  let state: 'none' | 'downloaded' | 'installing' = 'none'
  let version = ''

  if (policy.url !== undefined) updater.setFeedURL({ provider: 'generic', url: policy.url })
  if (policy.channel !== undefined) updater.channel = policy.channel
  updater.autoDownload = true
  updater.autoInstallOnAppQuit = false
  updater.allowDowngrade = false
  updater.allowPrerelease = policy.channel === 'beta'
  const isSupported = updater.isUpdateSupported
  updater.isUpdateSupported = (info) => {
    if (isSignedUpdate(info, publicKey)) return isSupported(info)
    log.error('update refused: it is not signed by us', { version: info.version })
    return false
  }
  updater.on('update-downloaded', (info) => {
    if (state !== 'none') return
    state = 'downloaded'
    version = info.version
    log.info('update downloaded', { version })
    offer.offer(version)
  })
  updater.on('error', (cause) => {
    log.warn('update failed', { cause })
    startAgain()
  })

  /** The core is closed by then. Once: a failure may be both thrown and reported, and each call would start one more. */
  function startAgain() {
    if (state !== 'installing') return
    state = 'none'
    offer.withdraw()
    restart()
  }

  async function install() {
    state = 'installing'
    // Since the look at what is being sent something may have gone out: no installer starts over that.
    await close(Number.POSITIVE_INFINITY)
    log.info('installing update', { version })
    try {
      makeWay()
      updater.quitAndInstall(true, true)
    } catch (cause) {
      log.error('update failed', { cause })
      startAgain()
    }
  }

  return {
    async check() {
      // What it says goes to its 'error' event as well.
      if (state === 'none') await updater.checkForUpdates().catch(() => undefined)
    },
    async consider() {
      if (state === 'downloaded' && offer.view().isAgreed && sending() === 0) await install()
    },
  }
}
