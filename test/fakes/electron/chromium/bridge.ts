/** The form of a value on its way from one JavaScript world of a page to the other. */
type Passed =
  | { is: 'value'; value: unknown }
  | { is: 'error'; message: string }
  | { is: 'list'; items: Passed[] }
  | { is: 'object'; fields: [string, Passed][] }
  /** `isYours`: the function belongs to the receiving world, which gets the original back. */
  | { is: 'function'; id: number; isYours: boolean }
  | { is: 'promise'; id: number }

type Said =
  | { say: 'call'; id: number; of: number; args: Passed[] }
  | { say: 'return' | 'throw'; id: number; value: Passed }
  | { say: 'resolve' | 'reject'; id: number; value: Passed }

/** One world's end of the bridge. */
export interface Bridge {
  /** Lets the other world call that function by its number, before any function was sent. Negative numbers are free. */
  offer(of: number, does: (...args: unknown[]) => unknown): void
  call(of: number, args: unknown[]): unknown
}

type Sends = Pick<EventTarget, 'addEventListener' | 'dispatchEvent'>

/**
 * Electron's contextBridge between the isolated world and the page's, by its documented rules: functions and promises
 * are proxied both ways, arrays and objects copied without prototypes, errors by message, and the rest by structured
 * clone; 1000 levels at most. The two worlds share the document but no object, so they exchange DOM events: Chromium
 * clones each event's `detail`, and listeners run synchronously. `secret` is the events' name, generated per page and
 * unknown to everything the page loads. Elements, which Electron passes, are refused, and so are cycles.
 * Self-contained: the function's source is evaluated in both worlds, before anything of the page.
 */
export function createBridge(here: 'page' | 'preload', secret: string, events: Sends): Bridge {
  const there = here === 'page' ? 'preload' : 'page'
  // Saved before a page can replace them.
  const Happening = CustomEvent
  const dispatch = events.dispatchEvent.bind(events)
  const clone = structuredClone
  const tagOf = (value: object) => Object.prototype.toString.call(value)
  const deepest = 1000
  const cloneable = /^\[object (?:Date|RegExp|Map|Set|Blob|File|DataView|(?:Shared)?ArrayBuffer|\w+Array)\]$/

  type Callable = (...args: unknown[]) => unknown
  const functions = new Map<number, Callable>()
  const numbers = new WeakMap<Callable, number>()
  const foreign = new WeakMap<Callable, number>()
  const proxies = new Map<number, Callable>()
  const promises = new Map<number, (isResolved: boolean, value: unknown) => void>()
  const returned = new Map<number, { isThrown: boolean; value: Passed }>()
  let last = 0

  const isSaid = (detail: unknown): detail is Said => typeof detail === 'object' && detail !== null && 'say' in detail
  const isCallable = (value: unknown): value is Callable => typeof value === 'function'
  const send = (said: Said) => dispatch(new Happening(`${secret} ${there}`, { detail: said }))

  function ownNumber(value: Callable): number {
    const number = numbers.get(value) ?? ++last
    numbers.set(value, number)
    functions.set(number, value)
    return number
  }

  function promised(promise: Promise<unknown>): Passed {
    const id = ++last
    promise
      .then(
        (value) => send({ say: 'resolve', id, value: pass(value) }),
        (reason: unknown) => send({ say: 'reject', id, value: pass(reason) }),
      )
      .catch((cause: unknown) => send({ say: 'reject', id, value: pass(cause) }))
    return { is: 'promise', id }
  }

  function pass(value: unknown, depth = 0): Passed {
    if (depth >= deepest) {
      throw new TypeError(
        'Electron contextBridge recursion depth exceeded.  Nested objects deeper than 1000 are not supported.',
      )
    }
    if (typeof value === 'symbol') return { is: 'value', value: undefined }
    if (isCallable(value)) {
      const theirs = foreign.get(value)
      return theirs === undefined
        ? { is: 'function', id: ownNumber(value), isYours: false }
        : { is: 'function', id: theirs, isYours: true }
    }
    if (typeof value !== 'object' || value === null) return { is: 'value', value }
    if (value instanceof Promise) return promised(value)
    if (value instanceof Error) return { is: 'error', message: value.message }
    if (Array.isArray(value)) return { is: 'list', items: Array.from(value, (each) => pass(each, depth + 1)) }
    const tag = tagOf(value)
    // Class instances too: their data is copied, their methods are not.
    if (tag === '[object Object]') {
      const fields = Object.entries(value).filter(([, each]) => typeof each !== 'symbol')
      return { is: 'object', fields: fields.map(([key, each]) => [key, pass(each, depth + 1)]) }
    }
    if (!cloneable.test(tag)) throw new TypeError(`An object could not be cloned: ${tag}`)
    return { is: 'value', value: clone(value) }
  }

  function proxyOf(id: number): Callable {
    const known = proxies.get(id)
    if (known) return known
    const proxy = (...args: unknown[]) => call(id, args)
    foreign.set(proxy, id)
    proxies.set(id, proxy)
    return proxy
  }

  function promiseOf(id: number): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    promises.set(id, (isResolved, value) => {
      if (isResolved) resolve(value)
      else reject(value)
    })
    return promise
  }

  function receive(passed: Passed): unknown {
    switch (passed.is) {
      case 'value':
        return passed.value
      case 'error':
        return new Error(passed.message)
      case 'list':
        return passed.items.map(receive)
      case 'object':
        return Object.fromEntries(passed.fields.map(([key, each]) => [key, receive(each)]))
      case 'function':
        return passed.isYours ? functions.get(passed.id) : proxyOf(passed.id)
      case 'promise':
        return promiseOf(passed.id)
    }
  }

  function call(of: number, args: unknown[]): unknown {
    const id = ++last
    send({ say: 'call', id, of, args: args.map((each) => pass(each)) })
    const answer = returned.get(id)
    returned.delete(id)
    if (!answer) throw new TypeError('An object could not be cloned.')
    const value = receive(answer.value)
    if (answer.isThrown) throw value
    return value
  }

  /** As Electron words it: an error keeps only its message. */
  function thrown(cause: unknown): Passed {
    const isTold =
      typeof cause === 'object' && cause !== null && 'message' in cause && typeof cause.message === 'string'
    const unknown =
      'An unknown exception occurred in the isolated context, an error occurred but a valid exception was not thrown.'
    return { is: 'error', message: isTold ? String(cause.message) : unknown }
  }

  function answer(id: number, of: number, args: Passed[]): void {
    try {
      const value = pass(functions.get(of)?.(...args.map(receive)))
      send({ say: 'return', id, value })
    } catch (cause) {
      send({ say: 'throw', id, value: thrown(cause) })
    }
  }

  events.addEventListener(`${secret} ${here}`, (event) => {
    const said: unknown = event instanceof Happening ? event.detail : undefined
    if (!isSaid(said)) return
    switch (said.say) {
      case 'call':
        answer(said.id, said.of, said.args)
        break
      case 'return':
      case 'throw':
        returned.set(said.id, { isThrown: said.say === 'throw', value: said.value })
        break
      case 'resolve':
      case 'reject': {
        const settle = promises.get(said.id)
        promises.delete(said.id)
        settle?.(said.say === 'resolve', receive(said.value))
      }
    }
  })

  return { offer: (of, does) => functions.set(of, does), call }
}
