import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { App, Details, LoginItemSettings, RelaunchOptions, Settings } from 'electron'
import { type Readiness, preventable } from './event'
import type { FakeWindow } from './window'

type Calls = Pick<
  App,
  | 'disableHardwareAcceleration'
  | 'enableSandbox'
  | 'exit'
  | 'getAppPath'
  | 'getLocale'
  | 'getPath'
  | 'getVersion'
  | 'isPackaged'
  | 'quit'
  | 'releaseSingleInstanceLock'
  | 'requestSingleInstanceLock'
  | 'setAppUserModelId'
  | 'setPath'
  | 'whenReady'
>

export interface AppKnobs {
  appPath: string
  userData: string
  /** False while another instance runs. */
  hasLock: boolean
  isPackaged: boolean
  /** Folder whose lock another instance holds: an earlier version's. */
  heldFolder?: string
  /** Chromium's switches on the command line, without dashes and values. */
  switches?: readonly string[]
  /** The language of the system. */
  locale?: string
}

/** The `app` module: ready when told, and quitting in Electron's order. */
export class FakeApp extends EventEmitter implements Calls {
  readonly windows: FakeWindow[] = []
  readonly isPackaged: boolean
  isSandboxed = false
  /** The exit code; undefined while the app runs. */
  exitCode: number | undefined
  #paths: Map<string, string>
  #whenReady = Promise.withResolvers<undefined>()
  /** The user data folder when the lock was requested: Chromium keeps one lock per folder. */
  lockFolder: string | undefined
  hasHardwareAcceleration = true
  /** The name by which Windows groups and pins the app's windows. */
  userModelId: string | undefined
  opensAtLogin = false

  constructor(
    private readonly knobs: AppKnobs,
    private readonly readiness: Readiness,
  ) {
    super()
    this.isPackaged = knobs.isPackaged
    this.#paths = new Map([
      ['userData', knobs.userData],
      ['crashDumps', join(knobs.userData, 'Crashpad')],
      ['home', join(knobs.userData, 'home')],
    ])
  }

  /** Knob: what Electron does after evaluating the main script. */
  becomeReady(): void {
    if (this.exitCode !== undefined) return
    this.readiness.isReady = true
    this.#whenReady.resolve(undefined)
  }

  /** Knob: the app is started a second time. */
  startSecondInstance(): void {
    this.emit('second-instance', preventable({}), ['countertag'], '/', null)
  }

  readonly commandLine = { hasSwitch: (name: string): boolean => this.knobs.switches?.includes(name) ?? false }

  enableSandbox(): void {
    this.readiness.before('app.enableSandbox')
    this.isSandboxed = true
  }

  /** Knob: a Chromium process other than a page's ends. */
  loseProcess(details: Pick<Details, 'type' | 'reason' | 'exitCode'>): void {
    this.emit('child-process-gone', preventable({}), details)
  }

  disableHardwareAcceleration(): void {
    this.readiness.before('app.disableHardwareAcceleration')
    this.hasHardwareAcceleration = false
  }
  setAppUserModelId(id: string): void {
    this.userModelId = id
  }
  getLocale(): string {
    this.readiness.after('app.getLocale')
    return this.knobs.locale ?? 'en-US'
  }
  getLoginItemSettings = (): Pick<LoginItemSettings, 'openAtLogin'> => ({ openAtLogin: this.opensAtLogin })
  setLoginItemSettings({ openAtLogin = false }: Settings): void {
    this.opensAtLogin = openAtLogin
  }

  getAppPath = (): string => this.knobs.appPath
  getVersion = (): string => '0.1.0'
  whenReady = (): Promise<void> => this.#whenReady.promise

  getPath(name: string): string {
    const path = this.#paths.get(name)
    if (path === undefined) throw new Error(`Failed to get '${name}' path`)
    return path
  }

  setPath(name: string, path: string): void {
    if (!existsSync(path)) throw new Error(`Failed to set path: ${path} does not exist`)
    this.#paths.set(name, path)
  }

  requestSingleInstanceLock(): boolean {
    this.lockFolder ??= this.getPath('userData')
    this.askedLocks.push(this.lockFolder)
    return this.knobs.hasLock && this.lockFolder !== this.knobs.heldFolder
  }
  /** Folders whose lock was requested, in order. */
  readonly askedLocks: string[] = []
  releaseSingleInstanceLock(): void {
    this.lockFolder = undefined
  }

  quit(): void {
    const event = preventable({})
    this.emit('before-quit', event)
    if (event.defaultPrevented) return
    // During a quit, window-all-closed is not sent for the last window.
    for (const window of [...this.windows]) if (!window.closeForQuit()) return
    this.emit('will-quit', preventable({}))
    this.exit(0)
  }

  /** The requested restarts: each starts one more instance after the exit. */
  readonly relaunches: RelaunchOptions[] = []
  relaunch(options: RelaunchOptions = {}): void {
    this.relaunches.push(options)
  }

  /** Knob: the system ends the process, unless it has ended. No event is sent. */
  endBySystem(): void {
    this.exitCode ??= -1
  }

  /** The end of the process: no event is sent after it. */
  exit(code = 0): void {
    if (this.exitCode !== undefined) return
    this.exitCode = code
    this.emit('quit', preventable({}), code)
  }
}
