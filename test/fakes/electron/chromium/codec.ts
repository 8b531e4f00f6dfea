/** Encodes values as JSON and back, for transfer between a page and the process that drives it. */
export interface Codec {
  encode(value: unknown): unknown
  decode(encoded: unknown): unknown
}

/**
 * Carries the parts of Electron's structured clone that our contract uses: JSON values, undefined, every number,
 * bigint, Date, ArrayBuffer and its views, Map and Set. Everything else is refused, both what structured clone accepts
 * (cycles, class instances, Blob) and what it refuses (functions, symbols). Self-contained: the function's source is
 * evaluated in pages as well.
 */
export function createCodec(): Codec {
  const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
  const refuse = (what: string): never => {
    throw new Error(`An object could not be cloned: ${what}`)
  }
  const bytesOf = (view: ArrayBufferView) => [...new Uint8Array(view.buffer, view.byteOffset, view.byteLength)]
  const nameOf = (value: object) => Object.prototype.toString.call(value).slice(8, -1)

  function encode(value: unknown): unknown {
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
    if (value === undefined) return { is: 'undefined' }
    if (typeof value === 'number') {
      const isJson = Number.isFinite(value) && !Object.is(value, -0)
      return isJson ? value : { is: 'number', text: Object.is(value, -0) ? '-0' : String(value) }
    }
    if (typeof value === 'bigint') return { is: 'bigint', text: String(value) }
    if (!isRecord(value)) return refuse(typeof value)
    if (Array.isArray(value)) return Array.from(value, encode)
    if (value instanceof Date) return { is: 'date', ms: encode(value.getTime()) }
    if (value instanceof Map) return { is: 'map', entries: encode([...value]) }
    if (value instanceof Set) return { is: 'set', items: encode([...value]) }
    if (value instanceof ArrayBuffer) return { is: 'bytes', of: 'ArrayBuffer', bytes: [...new Uint8Array(value)] }
    if (ArrayBuffer.isView(value)) return { is: 'bytes', of: nameOf(value), bytes: bytesOf(value) }
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype !== Object.prototype && prototype !== null) return refuse(nameOf(value))
    return {
      is: 'object',
      fields: Object.fromEntries(Object.entries(value).map(([key, each]) => [key, encode(each)])),
    }
  }

  function bytes(of: unknown, list: unknown): unknown {
    if (!Array.isArray(list)) return refuse('bytes')
    const { buffer } = Uint8Array.from(list, Number)
    if (of === 'ArrayBuffer') return buffer
    const View: unknown = Reflect.get(globalThis, String(of))
    return typeof View === 'function' ? Reflect.construct(View, [buffer]) : refuse(String(of))
  }

  function decode(encoded: unknown): unknown {
    if (Array.isArray(encoded)) return encoded.map(decode)
    if (!isRecord(encoded)) return encoded
    const { is, text, fields, entries, items } = encoded
    if (is === 'undefined') return undefined
    if (is === 'number') return Number(text)
    if (is === 'bigint') return BigInt(String(text))
    if (is === 'date') return new Date(Number(decode(encoded.ms)))
    if (is === 'bytes') return bytes(encoded.of, encoded.bytes)
    if (is === 'map' && Array.isArray(entries)) {
      return new Map(
        entries.map((entry: unknown) => (Array.isArray(entry) ? [decode(entry[0]), decode(entry[1])] : refuse('Map'))),
      )
    }
    if (is === 'set' && Array.isArray(items)) return new Set(items.map(decode))
    if (is === 'object' && isRecord(fields)) {
      return Object.fromEntries(Object.entries(fields).map(([key, each]) => [key, decode(each)]))
    }
    return refuse(String(is))
  }

  return { encode, decode }
}
