import fc from 'fast-check'
import { z } from 'zod'
import { type CallName, callTable } from '../../src-shared/ipc/contract'

/** The part of JSON Schema that zod writes for inputs of the contract. */
interface Schema {
  type?: string | string[] | undefined
  enum?: unknown[] | undefined
  const?: unknown
  anyOf?: Schema[] | undefined
  oneOf?: Schema[] | undefined
  allOf?: Schema[] | undefined
  properties?: Record<string, Schema> | undefined
  required?: string[] | undefined
  items?: Schema | undefined
}

const Schema: z.ZodType<Schema> = z.lazy(() =>
  z.object({
    type: z.union([z.string(), z.array(z.string())]).optional(),
    enum: z.array(z.unknown()).optional(),
    const: z.unknown().optional(),
    anyOf: z.array(Schema).optional(),
    oneOf: z.array(Schema).optional(),
    allOf: z.array(Schema).optional(),
    properties: z.record(z.string(), Schema).optional(),
    required: z.array(z.string()).optional(),
    items: Schema.optional().catch(undefined),
  }),
)

const lone = String.fromCharCode(0xd800)
/** Texts from forms and scanners, including ids of the practice store; addresses on this computer only. */
const texts = fc.oneof(
  fc.constantFrom(
    'VaVSFGDiox2pHf8GmQmTfG',
    'fNumgzqqiApBuoTRFhfm7C',
    'a6YvvLF5tXSydNkLnHDXG5',
    '1A40E0300000B2F000000001',
    '9af49740-96f5-40ee-9e25-02420ae59635',
    'https://tag.example/case/a6YvvLF5tXSydNkLnHDXG5',
    'http://127.0.0.1:9',
    '2026-11-12',
    '2026-11-12T10:00:00+02:00',
    '4711',
    'practice',
    '',
    ' ',
    '__proto__',
    "'; DROP TABLE operation; --",
    '\u0000',
    `broken ${lone} pair`,
    '\u202Etxt.exe',
    'é'.repeat(500),
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
)
const numbers = fc.oneof(
  fc.integer({ min: -3, max: 300 }),
  fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -0, 0.5, Number.MAX_SAFE_INTEGER, 2 ** 53, -1e308),
)

/** A value that fits the schema, judged by its JSON form. */
function fitting(schema: Schema): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices && choices.length > 0) return fc.oneof(...choices.map(fitting))
  if (schema.allOf?.[0]) return fitting(schema.allOf[0])
  if ('const' in schema && schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum && schema.enum.length > 0) return fc.constantFrom(...schema.enum)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'object': {
      const fields = Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, fitting(inner)] as const)
      return fc.record(Object.fromEntries(fields), { requiredKeys: schema.required ?? [] })
    }
    case 'array':
      return fc.array(fitting(schema.items ?? {}), { maxLength: 4 })
    case 'string':
      return texts
    case 'number':
    case 'integer':
      return numbers
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case undefined:
    default:
      return fc.constant(undefined)
  }
}

const self: Record<string, unknown> = { name: 'self' }
self['self'] = self
const deep = Array.from({ length: 20_000 }).reduce<unknown>((inner) => ({ inner }), null)
const polluting: unknown = JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}')

/** Values that our forms never send. */
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    withNullPrototype: true,
  }),
  texts,
  numbers,
  fc.constantFrom<unknown>(
    self,
    deep,
    polluting,
    'x'.repeat(300_000),
    new Array(100_000).fill(7),
    new Array(10_000_000),
    new Uint8Array(300_000),
    { toString: 1, valueOf: 1, then: 1 },
  ),
)

/** A valid object with one field changed, added or removed. */
const bent = (base: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(base, odd, fc.nat(20), fc.constantFrom('replace', 'remove', 'add', 'pollute'))
    .map(([value, other, at, how]) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return other
      const entries = Object.entries(value)
      const index = entries.length === 0 ? 0 : at % entries.length
      const name = entries[index]?.[0] ?? 'more'
      if (how === 'remove') return Object.fromEntries(entries.filter((_, n) => n !== index))
      if (how === 'add') return { ...value, more: other }
      const copy: object = { ...value }
      if (how === 'pollute') Object.defineProperty(copy, '__proto__', { value: other, enumerable: true })
      else Reflect.set(copy, name, other)
      return copy
    })

/** Inputs for a call: valid ones, ones with an error, and arbitrary ones. */
export function payloadsFor(name: CallName): fc.Arbitrary<unknown> {
  const written = z.toJSONSchema(callTable[name].input, { io: 'input', unrepresentable: 'any' })
  const base = fitting(Schema.parse(written))
  return fc.oneof({ weight: 4, arbitrary: base }, { weight: 3, arbitrary: bent(base) }, { weight: 2, arbitrary: odd })
}
