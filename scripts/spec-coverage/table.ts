import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { z } from 'zod'
import { sections } from '../../test/integration/service/rows/index'

/** A test that names a row of the specification. */
interface RowTest {
  id: string
  sentence: string
  file: string
}

const folder = join(import.meta.dirname, '..', '..', 'test', 'integration', 'service')

/** `row('id', 'sentence', …)`; both are literal strings in single or double quotes. */
const call = /(?:^|[^\w.])row\(\s*(['"])((?:(?!\1).)+)\1,\s*(['"])((?:(?!\3).)+)\3,/gs

const Match = z.tuple([z.string(), z.string(), z.string(), z.string(), z.string()]).rest(z.unknown())

/** The conformance suite's tests, read from their source, without running them. */
function rowTests(): RowTest[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.test.ts'))
  return files.sort().flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(call)].map((found) => {
      const [, , id, , sentence] = Match.parse([...found])
      return { id, sentence, file }
    }),
  )
}

export const tableFile = join(import.meta.dirname, '..', '..', 'src-practice', 'COVERAGE.md')

interface Coverage {
  /** The content of `COVERAGE.md`. */
  text: string
  rows: number
  tests: number
  /** Rows without a test. */
  uncovered: string[]
  /** Tests that name an unknown row. */
  strange: RowTest[]
}

/** Which test covers which row of the specification. */
export async function coverage(): Promise<Coverage> {
  const tests = rowTests()
  const byRow = Map.groupBy(tests, ({ id }) => id)
  const rows = Object.values(sections).flatMap((section) => Object.keys(section))
  const known = new Set(rows)
  const parts = Object.entries(sections).map(([title, section]) => {
    const lines = Object.entries(section).map(([id, wording]) => line(id, wording, byRow.get(id) ?? []))
    return [`## ${title}`, '', '| row | wording, in short | test |', '| --- | --- | --- |', ...lines].join('\n')
  })
  const text = [
    '# The specification, row by row',
    '',
    `Written by \`npm run coverage:spec\`. ${rows.length} rows, ${tests.length} tests in \`test/integration/service\`; each runs`,
    'the client of the station against this service over HTTP. A row without a test fails the suite.',
    '',
    parts.join('\n\n'),
    '',
  ].join('\n')
  return {
    text: await format(text, { ...(await resolveConfig(tableFile)), parser: 'markdown' }),
    rows: rows.length,
    tests: tests.length,
    uncovered: rows.filter((id) => !byRow.has(id)),
    strange: tests.filter(({ id }) => !known.has(id)),
  }
}

const line = (id: string, wording: string, tests: RowTest[]) => {
  const named = tests.map(({ sentence, file }) => `${cell(sentence)} (${file.replace(/\.test\.ts$/, '')})`)
  return `| \`${id}\` | ${cell(wording)} | ${named.join('<br>')} |`
}

/** Angle brackets are text, not markup. */
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
