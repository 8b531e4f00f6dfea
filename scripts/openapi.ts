import './require-node.mjs'
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { examplePlaces, openApiDocument } from '../src-practice/openapi/document'

/**
 * `npm run openapi`: writes the practice service's OpenAPI document and a page made of it to `out/`, and validates it. A
 * running service gives the same document at `/openapi.json`.
 */
const root = join(import.meta.dirname, '..')
const cli = join(root, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js')
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
const redocly = (...args: string[]) =>
  promisify(execFile)(process.execPath, [cli, ...args], { env, cwd: root, timeout: 60_000 })

/** The validator's findings; empty for a valid document. */
export async function lint(file: string): Promise<string> {
  try {
    await redocly('lint', file, '--extends=spec', '--format=stylish')
    return ''
  } catch (cause) {
    return cause instanceof Error && 'stdout' in cause ? String(cause.stdout) : String(cause)
  }
}

if (process.argv[1] === import.meta.filename) {
  const file = join('out', 'openapi.json')
  mkdirSync(join(root, 'out'), { recursive: true })
  writeFileSync(join(root, file), `${JSON.stringify(openApiDocument(examplePlaces), null, 2)}\n`)
  await redocly('build-docs', file, '-o', join('out', 'openapi.html'))
  const findings = await lint(file)
  console.log(`out/openapi.json, out/openapi.html: ${findings === '' ? 'valid' : `not valid\n${findings}`}`)
  process.exitCode = findings === '' ? 0 : 1
}
