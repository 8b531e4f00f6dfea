import type { JsonSchema } from './schemas'

type Schemas = Record<string, JsonSchema>

/** The fields of a body as rows of a table: name, type, whether it is required. One level deep; what is below has a name. */
export function fieldsOf(schemas: Schemas, schema: JsonSchema): string[][] {
  const whole = resolved(schemas, schema)
  if (whole.anyOf !== undefined) {
    return whole.anyOf.flatMap((one) => [[nameOf(one), '', ''], ...fieldsOf(schemas, one)])
  }
  const items = itemsOf(whole)
  if (items !== undefined) return [['each entry', typeOf(items), 'yes'], ...fieldsOf(schemas, items)]
  const required = new Set(whole.required ?? [])
  return Object.entries(whole.properties ?? {}).map(([name, field]) =>
    typeof field === 'boolean' ? [name, 'any', ''] : [name, typeOf(field), required.has(name) ? 'yes' : ''],
  )
}

const nameOf = (schema: JsonSchema) => schema.$ref?.split('/').at(-1) ?? ''

const resolved = (schemas: Schemas, schema: JsonSchema): JsonSchema => schemas[nameOf(schema)] ?? schema

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null

const itemsOf = ({ items }: JsonSchema): JsonSchema | undefined =>
  isSchema(items) && !Array.isArray(items) ? items : undefined

/** What a field holds, in one line. */
function typeOf(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return nameOf(schema)
  if (schema.enum !== undefined) return schema.enum.map(String).join(' | ')
  if (schema.const !== undefined) return String(schema.const)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return choices.map(typeOf).join(' or ')
  const items = itemsOf(schema)
  if (items !== undefined) return `array of ${typeOf(items)}`
  const types = [schema.type ?? 'any'].flat().join(' or ')
  return schema.format === undefined ? types : `${types} (${schema.format})`
}
