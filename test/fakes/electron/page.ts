import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { compileFunction, createContext } from 'node:vm'
import type { ContextBridge, IpcRenderer } from 'electron'

/** How a page reaches main. */
export type Invoke = (channel: string, args: unknown[]) => Promise<unknown>

/**
 * A sandboxed, context-isolated page: its preload runs without Node's globals, may require nothing but electron, and
 * exposes only copies and functions to the page.
 */
export class FakePage {
  /** The modules that the preload required. */
  readonly required: string[] = []
  /** Properties added to the page's `window`, by name. */
  readonly world = new Map<string, unknown>()
  readonly #ipc = new EventEmitter()

  constructor(preload: string, invoke: Invoke) {
    const ipcRenderer = {
      invoke: (channel, ...args: unknown[]) => invoke(channel, structuredClone(args)),
    } satisfies Pick<IpcRenderer, 'invoke'>
    const contextBridge = {
      exposeInMainWorld: (name, api: unknown) => {
        this.world.set(name, acrossWorlds(api))
      },
    } satisfies Pick<ContextBridge, 'exposeInMainWorld'>
    const electron = {
      contextBridge,
      ipcRenderer: Object.assign(this.#ipc, ipcRenderer),
    }

    const require = (name: string) => {
      this.required.push(name)
      if (name === 'electron') return electron
      throw new Error(`module not found: ${name}`)
    }
    const parsingContext = createContext({})
    const run: unknown = compileFunction(readFileSync(preload, 'utf8'), ['require', 'exports', 'module'], {
      parsingContext,
      filename: preload,
    })
    if (typeof run === 'function') Reflect.apply(run, undefined, [require, {}, {}])
  }

  /** Knob: main sends. The event passed along could answer on any channel, so the page must not get it. */
  receive(channel: string, args: unknown[]): void {
    this.#ipc.emit(channel, { sender: this.#ipc, reply: () => undefined }, ...structuredClone(args))
  }
}

/** Converts a value on its way between preload and page: functions are wrapped, everything else is cloned. */
function acrossWorlds(value: unknown): unknown {
  if (typeof value === 'function') {
    return (...args: unknown[]): unknown => {
      const given: unknown = Reflect.apply(value, undefined, args.map(acrossWorlds))
      return given instanceof Promise ? given.then(acrossWorlds) : acrossWorlds(given)
    }
  }
  if (typeof value === 'object' && value !== null && Object.values(value).some((each) => typeof each === 'function')) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, acrossWorlds(each)]))
  }
  return structuredClone(value)
}
