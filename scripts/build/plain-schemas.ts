import type { Plugin } from 'vite'

/** A schema of one value without names of its own, with numbers as its only arguments: `z.number().int().min(1)`. */
const plain =
  /\bz\.(?:string|number|boolean|unknown)\(\)(?:\.(?:int|min|max|nonnegative|positive|trim|nullable|nullish|optional)\([\d_]*\))*/g
const prefix = 'plain-schema:'

/** A module's text with each plain schema replaced by an import; as it is if the module doesn't use zod. */
function withImports(text: string): string {
  if (!/^import \{[^}]*\bz\b[^}]*\} from 'zod'/m.test(text)) return text
  const names = new Map<string, string>()
  const replaced = text.replace(plain, (schema) => {
    const name = names.get(schema) ?? `plainSchema${names.size}`
    names.set(schema, name)
    return name
  })
  const imports = [...names].map(([schema, name]) => `import ${name} from ${JSON.stringify(prefix + schema)};`)
  // On the first line, so that every other line keeps its number.
  return imports.join('') + replaced
}

/**
 * Makes each plain schema once for the whole program: most of the schemas that a start would make are the same few, and
 * making one takes up to 50 microseconds and a kilobyte. Sharing is safe, because a schema never changes: `.min(1)` makes
 * another.
 */
export const plainSchemas = (): Plugin => ({
  name: 'plain-schemas',
  enforce: 'pre',
  resolveId: (source) => (source.startsWith(prefix) ? `\0${source}` : undefined),
  load: (id) =>
    id.startsWith(`\0${prefix}`) ? `import { z } from 'zod'\nexport default ${id.slice(prefix.length + 1)}` : undefined,
  transform: {
    filter: { id: /\/src-(?:main|shared|practice|renderer)\/.*\.ts$/, code: "from 'zod'" },
    handler: (code) => withImports(code),
  },
})
