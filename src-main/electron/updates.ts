import { createPublicKey, sign, verify } from 'node:crypto'
import type { UpdateInfo } from 'electron-updater'
import { z } from 'zod'
import type { Log } from '../log'
import type { PolicyUpdates } from '../policy/policy'
import type { UpdateOffer } from '../station/till'

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
  /** Public key for releases, base64 of its DER form. */
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

/**
 * Fetches updates in the background and installs one only when a person agreed and nothing is being sent. An update
 * that is not signed is not even downloaded. Quitting the app installs nothing.
 */
export function createUpdates(parts: UpdatesParts) {
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
    /** Looks for an update, and fetches it. Fails quietly: the next look comes. */
    async check() {
      // What it says goes to its 'error' event as well.
      if (state === 'none') await updater.checkForUpdates().catch(() => undefined)
    },
    /** Installs what a person agreed to, once nothing is being sent. To be called every few seconds. */
    async consider() {
      if (state === 'downloaded' && offer.view().isAgreed && sending() === 0) await install()
    },
  }
}

/** What describes an update (latest.yml), as it was read: everything in it but the signature is signed. */
const Described = z.record(z.string(), z.unknown())

/** The same bytes for the same content, whatever the order of its fields. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    const fields = Object.entries(value).filter(([, each]) => each !== undefined)
    fields.sort(([one], [other]) => (one < other ? -1 : 1))
    return `{${fields.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join(',')}}`
  }
  return JSON.stringify(value)
}

const signedPart = (description: Record<string, unknown>) => {
  const { signature: _signature, ...rest } = description
  return Buffer.from(`countertag update\n${canonical(rest)}`)
}

/** The signature (Ed25519, base64) that belongs into the field `signature` of that description. `privateKey` is PEM. */
export const signUpdate = (description: Record<string, unknown>, privateKey: string): string =>
  sign(null, signedPart(description), privateKey).toString('base64')

/**
 * Whether the description, which includes the hash of the download, was signed with the private key. Neither the server nor
 * the network needs to be trusted.
 *
 * @param publicKey base64 of the key's DER form (SPKI)
 */
export function isSignedUpdate(description: unknown, publicKey: string): boolean {
  const read = Described.safeParse(description)
  const signature = read.data?.signature
  if (!read.success || typeof signature !== 'string') return false
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
    // Another kind of key would be another kind of signature.
    if (key.asymmetricKeyType !== 'ed25519') return false
    return verify(null, signedPart(read.data), key, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}
