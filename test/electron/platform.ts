import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { root } from './root'

/** Makes the rest of the test run as if on another system. */
export function beOn(platform: string): void {
  const usual = process.platform
  Object.defineProperty(process, 'platform', { value: platform })
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: usual }))
}

/** Makes the rest of the test run as a package does, with the resources of the repository. */
export function bePackaged(): void {
  Object.defineProperty(process, 'resourcesPath', { value: join(root, 'resources'), configurable: true })
  onTestFinished(() => void Reflect.deleteProperty(process, 'resourcesPath'))
}

/** Gives the fake of Electron to a module that requires it later than main was loaded, as the updater does. */
export function answerLateRequires(): void {
  const url = 'electron-fake:later'
  const source = 'module.exports = globalThis.countertagFakeElectron'
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'electron' ? { url, format: 'commonjs', shortCircuit: true } : next(specifier, context),
    load: (asked, context, next) =>
      asked === url ? { format: 'commonjs', source, shortCircuit: true } : next(asked, context),
  })
  onTestFinished(() => {
    hooks.deregister()
  })
}
