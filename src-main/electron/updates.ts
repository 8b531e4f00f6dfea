import { createPublicKey, sign, verify } from 'node:crypto'
import type { UpdateInfo } from 'electron-updater'
import { z } from 'zod'
import type { Log } from '../core/log'
import type { PolicyUpdates } from '../policy/policy'
import type { UpdateOffer } from '../station/till'

/** The parts of electron-updater used here. Passed in, because importing it in plain Node would load Electron. */
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
  /** IT's settings; the package's own if omitted. */
  policy?: Pick<PolicyUpdates, 'channel' | 'url'>
  /** Public key for releases, base64 of its DER form. */
  publicKey: string
  /** Number of operations currently being sent. */
  sending: () => number
  /** The offer through which the page asks the person when to install. */
  offer: Pick<UpdateOffer, 'offer' | 'view' | 'withdraw'>
  /** Closes the core: sending stops and everything is on the disk. `graceMs`: time for requests under way. */
  close: (graceMs: number) => Promise<void>
  /** Releases the single-instance lock for the process that the installer starts. Called once everything is closed. */
  makeWay: () => void
  /** Starts the app again if the update could not be installed after closing. */
  restart: () => void
  log: Log
}

/**
 * Downloads updates in the background and installs one only when a person has agreed and nothing is being sent. An
 * unsigned update isn't even downloaded. Quitting the app installs nothing.
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

  /**
   * Starts the app again after the core was closed. Only once: a failure may be both thrown and reported, and each call
   * would start another app.
   */
  function startAgain() {
    if (state !== 'installing') return
    state = 'none'
    offer.withdraw()
    restart()
  }

  async function install() {
    state = 'installing'
    // An operation may have been sent since the check, so closing waits for it without a limit before the installer
    // starts.
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
    /** Checks for an update and downloads it. Failures are ignored until the next check. */
    async check() {
      // The error is also reported by the 'error' event.
      if (state === 'none') await updater.checkForUpdates().catch(() => undefined)
    },
    /** Installs an agreed update once nothing is being sent. Call every few seconds. */
    async consider() {
      if (state === 'downloaded' && offer.view().isAgreed && sending() === 0) await install()
    },
  }
}

/** The parsed description of an update (latest.yml). Everything in it but the signature is signed. */
const Described = z.record(z.string(), z.unknown())

/** Gives the same bytes for the same content, regardless of the order of fields. */
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

/** The signature (Ed25519, base64) for the field `signature` of a description. `privateKey` is PEM. */
export const signUpdate = (description: Record<string, unknown>, privateKey: string): string =>
  sign(null, signedPart(description), privateKey).toString('base64')

/**
 * Whether the description, which includes the hash of the download, was signed with the private key. So neither the
 * server nor the network needs to be trusted.
 *
 * @param publicKey base64 of the key's DER form (SPKI)
 */
export function isSignedUpdate(description: unknown, publicKey: string): boolean {
  const read = Described.safeParse(description)
  const signature = read.data?.signature
  if (!read.success || typeof signature !== 'string') return false
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
    // Another type of key would mean another signature algorithm.
    if (key.asymmetricKeyType !== 'ed25519') return false
    return verify(null, signedPart(read.data), key, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}
