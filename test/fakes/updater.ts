import type { UpdateInfo } from 'electron-updater'
import type { Updater } from '../../src-main/electron/updates'

/**
 * electron-updater, with knobs for the content of a server and for failures. Downloads at once, as with autoDownload.
 */
export class FakeUpdater implements Updater {
  autoDownload = false
  autoInstallOnAppQuit = true
  allowDowngrade = true
  allowPrerelease = true
  #channel: string | null = null
  get channel(): string | null {
    return this.#channel
  }
  /** As electron-updater documents it. */
  set channel(name: string | null) {
    this.#channel = name
    this.allowDowngrade = true
  }
  /** The update address, if not the one in the package. */
  feed: string | undefined
  setFeedURL({ url }: { url: string }): void {
    this.feed = url
  }
  isUpdateSupported: Updater['isUpdateSupported'] = () => this.fitsSystem
  /** Knob: the update on the server; null: nothing newer. */
  offered: UpdateInfo | null = null
  /** Knob: the error when the server can't be reached. */
  fault: Error | undefined
  /** Knob: whether the update's own requirements are met. */
  fitsSystem = true
  /** Knob: the result of installing. */
  installing: 'works' | 'throws' | 'reports' | 'does both' = 'works'
  /** All calls, in order. */
  readonly history: string[] = []
  #downloaded: ((info: UpdateInfo) => void)[] = []
  #failed: ((error: Error) => void)[] = []

  on(event: 'update-downloaded', listener: (info: UpdateInfo) => void): void
  on(event: 'error', listener: (error: Error) => void): void
  on(event: string, listener: ((info: UpdateInfo) => void) & ((error: Error) => void)): void {
    if (event === 'error') this.#failed.push(listener)
    else this.#downloaded.push(listener)
  }

  async checkForUpdates(): Promise<unknown> {
    this.history.push('check')
    if (this.fault) {
      this.#fail(this.fault)
      throw this.fault
    }
    const info = this.offered
    if (info === null || !(await this.isUpdateSupported(info)) || !this.autoDownload) return null
    this.history.push(`download ${info.version}`)
    for (const listener of this.#downloaded) listener(info)
    return info
  }

  quitAndInstall(isSilent: boolean, isForceRunAfter: boolean): void {
    this.history.push(`install${isSilent ? ' silently' : ''}${isForceRunAfter ? ' and start' : ''}`)
    const failure = new Error('the installer did not start')
    if (this.installing === 'reports' || this.installing === 'does both') this.#fail(failure)
    if (this.installing === 'throws' || this.installing === 'does both') throw failure
  }

  #fail(error: Error): void {
    for (const listener of this.#failed) listener(error)
  }
}
