import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { plainSchemas } from '../../../scripts/build/plain-schemas'

const sources = {
  'one.ts': `import { z } from 'zod'
export const name = z.string()
export const count = z.number().int().nonnegative()
export const Line = z.object({ name: z.string(), count: z.number().int().nonnegative().nullable() })
`,
  'other.ts': `import { z } from 'zod'
export const name = z.string()
export const code = z.string().regex(/^a/)
export const count = z.number().int().nonnegative()
export const few = z.number().int().max(Number('3'))
`,
  'index.ts': `export * as one from './one'\nexport * as other from './other'\n`,
}

const Schema = z.custom<z.ZodType>((value) => value instanceof z.ZodType)
const Built = z.object({
  one: z.object({ name: Schema, count: Schema, Line: Schema }),
  other: z.object({ name: Schema, code: Schema, count: Schema, few: Schema }),
})

describe('plain schemas in a bundle', () => {
  let folder: string
  let built: z.infer<typeof Built>

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'plain-schemas-'))
    mkdirSync(join(folder, 'src-shared'))
    for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, 'src-shared', name), text)
    const zod = import.meta.resolve('zod')
    await build({
      root: folder,
      configFile: false,
      logLevel: 'error',
      plugins: [plainSchemas()],
      build: {
        ssr: 'src-shared/index.ts',
        outDir: 'out',
        rolldownOptions: { external: ['zod'], output: { paths: { zod }, entryFileNames: 'index.mjs' } },
      },
    })
    built = Built.parse(await import(pathToFileURL(join(folder, 'out/index.mjs')).href))
  })
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
  })

  it('are made once, wherever they are written', () => {
    expect(built.one.name).toBe(built.other.name)
    expect(built.one.count).toBe(built.other.count)
  })

  it('accept and refuse the same as before', () => {
    const { Line } = built.one
    expect(Line.safeParse({ name: 'a', count: null }).success).toBe(true)
    expect(Line.safeParse({ name: 'a', count: 0 }).success).toBe(true)
    expect(Line.safeParse({ name: 'a', count: -1 }).success).toBe(false)
    expect(Line.safeParse({ name: 1, count: 0 }).success).toBe(false)
  })

  it('do not change with what another schema adds to them', () => {
    const { code, name, few } = built.other
    expect(code.safeParse('b').success).toBe(false)
    expect(name.safeParse('b').success).toBe(true)
    expect(few.safeParse(4).success).toBe(false)
    expect(built.one.count.safeParse(4).success).toBe(true)
  })
})
