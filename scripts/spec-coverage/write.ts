import '../require-node.mjs'
import { writeFileSync } from 'node:fs'
import { coverage, tableFile } from './table'

/** `npm run coverage:spec`: writes `src-practice/COVERAGE.md`. */
const { text, rows, tests, uncovered, strange } = await coverage()
writeFileSync(tableFile, text)
console.log(`src-practice/COVERAGE.md: ${rows} rows, ${tests} tests, ${uncovered.length} rows without a test`)
for (const id of uncovered) console.error(`No test for: ${id}`)
for (const { id, file } of strange) console.error(`No such row: ${id} (${file})`)
process.exitCode = uncovered.length + strange.length > 0 ? 1 : 0
