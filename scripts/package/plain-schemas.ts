import type { Plugin } from 'vite'

/** A schema that is written the same in many places, with numbers as its only arguments: `z.number().int().min(1)`. */
const plain =
  /\bz\.(?:string|number|boolean|unknown)\(\)(?:\.(?:int|min|max|nonnegative|positive|trim|nullable|nullish|optional)\([\d_]*\))*/g
const mark = '\0plain-schema:'

/** `text` with each plain schema replaced by an import; as it is if it doesn't use zod. */
export function withPlainSchemas(text: string): string {
  if (!/^import \{[^}]*\bz\b[^}]*\} from 'zod'/m.test(text)) return text
  const names = new Map<string, string>()
  const replaced = text.replace(plain, (schema) => {
    const name = names.get(schema) ?? `plainSchema${String(names.size)}`
    names.set(schema, name)
    return name
  })
  const imports = [...names].map(([schema, name]) => `import ${name} from ${JSON.stringify(mark + schema)};`)
  // On the first line: every other line keeps its number.
  return imports.join('') + replaced
}

/**
 * Makes each plain schema once for the whole program. Schemas never change, and making one takes 5 to 50 microseconds
 * and a kilobyte: without this, a start makes thousands of them that are the same.
 */
export const plainSchemas = (): Plugin => ({
  name: 'plain-schemas',
  enforce: 'pre',
  resolveId: (source) => (source.startsWith(mark) ? source : undefined),
  load: (id) =>
    id.startsWith(mark) ? `import { z } from 'zod'\nexport default ${id.slice(mark.length)}` : undefined,
  transform: {
    filter: { id: /\/src-(?:main|shared|practice|renderer)\/.*\.ts$/, code: 'zod' },
    handler: (code) => withPlainSchemas(code),
  },
})
