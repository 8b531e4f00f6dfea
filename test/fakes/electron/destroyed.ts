/** Members that may still be used on an object that Electron has destroyed. */
const harmless = new Set<string | symbol>([
  'isDestroyed',
  'on',
  'once',
  'off',
  'addListener',
  'removeListener',
  'removeAllListeners',
])

/** An object as main gets it: once it is destroyed, using it throws the same error as Electron. */
export function untilDestroyed<T extends object>(object: T, isDestroyed: () => boolean): T {
  return new Proxy(object, {
    get(target, name) {
      if (isDestroyed() && !harmless.has(name)) throw new TypeError('Object has been destroyed')
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]): unknown => Reflect.apply(value, target, args)
    },
  })
}
