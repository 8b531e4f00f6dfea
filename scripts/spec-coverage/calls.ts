import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** A test that names a row of the specification. */
export interface RowTest {
  id: string
  sentence: string
  file: string
}

const folder = join(import.meta.dirname, '..', '..', 'test', 'integration', 'service')

/** `row('id', 'sentence', …)`; both are literal strings in single or double quotes. */
const call = /(?:^|[^\w.])row\(\s*(['"])((?:(?!\1).)+)\1,\s*(['"])((?:(?!\3).)+)\3,/gs

const Match = z.tuple([z.string(), z.string(), z.string(), z.string(), z.string()]).rest(z.unknown())

/** The conformance suite's tests, read from their source, without running them. */
export function rowTests(): RowTest[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.test.ts'))
  return files.sort().flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(call)].map((found) => {
      const [, , id, , sentence] = Match.parse([...found])
      return { id, sentence, file }
    }),
  )
}
