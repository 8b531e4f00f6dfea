import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import type { App } from 'electron'
import { type Readiness, preventable } from './event'
import type { FakeWindow } from './window'

type Calls = Pick<
  App,
  | 'enableSandbox'
  | 'exit'
  | 'getAppPath'
  | 'getPath'
  | 'getVersion'
  | 'isPackaged'
  | 'quit'
  | 'relaunch'
  | 'releaseSingleInstanceLock'
  | 'requestSingleInstanceLock'
  | 'setPath'
  | 'whenReady'
>

export interface AppKnobs {
  appPath: string
  userData: string
  /** Whether no other instance runs. */
  hasLock: boolean
  isPackaged: boolean
  /** Folder whose lock another instance holds, an earlier version's. */
  heldFolder?: string
  /** Chromium's switches on the command line, without their dashes and values. */
  switches?: readonly string[]
}

/** The `app` module: ready when told, and quitting in Electron's order. */
export class FakeApp extends EventEmitter implements Calls {
  readonly windows: FakeWindow[] = []
  readonly isPackaged: boolean
  isSandboxed = false
  /** What it ended with; undefined while it runs. */
  exitCode: number | undefined
  #paths: Map<string, string>
  #whenReady = Promise.withResolvers<undefined>()
  /** Folder of the user's data when the lock was asked for: Chromium keeps one lock in each. */
  lockFolder: string | undefined

  constructor(
    private readonly knobs: AppKnobs,
    private readonly readiness: Readiness,
  ) {
    super()
    this.isPackaged = knobs.isPackaged
    this.#paths = new Map([['userData', knobs.userData]])
  }

  /** Knob: what Electron does once the main script has been evaluated. */
  becomeReady(): void {
    if (this.exitCode !== undefined) return
    this.readiness.isReady = true
    this.#whenReady.resolve(undefined)
  }

  /** Knob: somebody starts the app a second time. */
  startSecondInstance(): void {
    this.emit('second-instance', preventable({}), ['countertag'], '/', null)
  }

  readonly commandLine = { hasSwitch: (name: string): boolean => this.knobs.switches?.includes(name) ?? false }

  enableSandbox(): void {
    this.readiness.before('app.enableSandbox')
    this.isSandboxed = true
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
  /** Folders whose lock was asked for, in order. */
  readonly askedLocks: string[] = []
  releaseSingleInstanceLock(): void {
    this.lockFolder = undefined
  }

  quit(): void {
    const event = preventable({})
    this.emit('before-quit', event)
    if (event.defaultPrevented) return
    // While it quits, the last window's closing is not announced by window-all-closed.
    for (const window of [...this.windows]) window.closeForQuit()
    this.emit('will-quit', preventable({}))
    this.exit(0)
  }

  /** How often it was told to start again once it has ended. */
  relaunches = 0
  relaunch(): void {
    this.relaunches += 1
  }

  exit(code = 0): void {
    if (this.exitCode !== undefined) return
    this.exitCode = code
    this.emit('quit', preventable({}), code)
  }
}
