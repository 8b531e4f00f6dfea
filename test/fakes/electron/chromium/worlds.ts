import { randomBytes } from 'node:crypto'
import { type Bridge, createBridge } from './bridge'
import { type Codec, createCodec } from './codec'

/**
 * The name of the isolated world, and of the functions in it that drive the page. The page's own world has none of
 * them.
 */
export const preloadWorld = 'electron-preload'
export const binding = 'electronFakeDoor'
export const receiver = 'electronFakeReceiver'

/** Number of the function with which the preload's world exposes something to the page's. */
const expose = -1
/** Number of the function with which the page's world requests a window. */
const openWindow = -2

/**
 * Source for the page's own world, evaluated first in every document. Besides the bridge it changes only `window.open`.
 */
export function pageSource(secret: string): string {
  return `if (window.top === window) (${String(inPage)})((${String(createBridge)})('page', ${JSON.stringify(secret)}, window), ${expose}, ${openWindow})`
}

/** Source for the isolated world, evaluated second. `preload`: text of the preload bundle. */
export function preloadSource(secret: string, preload: string): string {
  const names = JSON.stringify({ binding, receiver, expose, openWindow })
  const bridge = `(${String(createBridge)})('preload', ${JSON.stringify(secret)}, window)`
  const run = `function (require, exports, module) { ${preload}\n}`
  return `if (window.top === window) (${String(inPreload)})(${bridge}, (${String(createCodec)})(), ${names}, ${run})`
}

export const newSecret = () => randomBytes(16).toString('hex')

/** Self-contained, because its source is evaluated in the page; the functions it calls are passed in. */
function inPage(bridge: Bridge, expose: number, openWindow: number): void {
  const freeze = (value: unknown): void => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || ArrayBuffer.isView(value))
      return
    Object.freeze(value)
    for (const each of Object.values(value)) freeze(each)
  }
  bridge.offer(expose, (name, api) => {
    if (Reflect.has(window, String(name))) {
      throw new Error('Cannot bind an API on top of an existing property on the window object')
    }
    freeze(api)
    Object.defineProperty(window, String(name), { value: api, enumerable: true, writable: false, configurable: false })
  })
  // Electron asks main before the window exists. Chromium alone would open the window first.
  Object.defineProperty(window, 'open', {
    configurable: true,
    writable: true,
    value: (url: unknown) => {
      bridge.call(openWindow, [new URL(String(url), location.href).href])
      return null
    },
  })
}

/** Self-contained as well. `run` is the preload, as a function of what its module may use. */
function inPreload(
  bridge: Bridge,
  codec: Codec,
  names: { binding: string; receiver: string; expose: number; openWindow: number },
  run: (require: (name: string) => unknown, exports: object, module: object) => void,
): void {
  const door: unknown = Reflect.get(globalThis, names.binding)
  if (typeof door !== 'function') throw new Error('the preload has no way to main')
  const tell = (what: object) => void Reflect.apply(door, undefined, [JSON.stringify(what)])

  type Listener = (event: object, ...args: unknown[]) => void
  const listeners = new Map<string, Set<Listener>>()
  const asked = new Map<number, { resolve: (value: unknown) => void; reject: (cause: Error) => void }>()
  let last = 0
  const ipcRenderer = {
    invoke(channel: string, ...args: unknown[]): Promise<unknown> {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      const id = ++last
      tell({ tells: 'invoke', id, channel, args: codec.encode(args) })
      asked.set(id, { resolve, reject })
      return promise
    },
    on(channel: string, listener: Listener) {
      listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener))
      return ipcRenderer
    },
    off(channel: string, listener: Listener) {
      listeners.get(channel)?.delete(listener)
      return ipcRenderer
    },
  }
  Reflect.set(globalThis, names.receiver, {
    answered(id: number, isAnswer: boolean, said: unknown) {
      const asker = asked.get(id)
      asked.delete(id)
      const value = codec.decode(said)
      if (isAnswer) asker?.resolve(value)
      else asker?.reject(new Error(String(value)))
    },
    sent(channel: string, said: unknown) {
      const decoded = codec.decode(said)
      const args: unknown[] = Array.isArray(decoded) ? decoded : []
      for (const listener of [...(listeners.get(channel) ?? [])]) listener({ sender: ipcRenderer }, ...args)
    },
  })

  const contextBridge = {
    exposeInMainWorld: (name: string, api: unknown) => void bridge.call(names.expose, [name, api]),
  }
  bridge.offer(names.openWindow, (url) => {
    tell({ tells: 'open-window', url })
  })
  const require = (name: string) => {
    if (name === 'electron') return { contextBridge, ipcRenderer }
    throw new Error(`module not found: ${name}`)
  }
  try {
    run(require, {}, {})
  } catch (cause) {
    tell({ tells: 'preload-error', message: String(cause) })
  }
}
