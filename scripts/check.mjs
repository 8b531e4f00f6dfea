import { spawn } from 'node:child_process'
import { cpus } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { requireNode } from './node-version.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Longest first, so that no long check runs alone at the end. */
const checks = [
  { name: 'Types and lint of .ts files', script: 'check:types' },
  { name: 'Types of .svelte files', script: 'check:svelte' },
  { name: 'Layout', script: 'format:check' },
  { name: 'Lint of templates, layers', script: 'lint' },
  { name: 'Import circles', script: 'check:circles' },
]

/** @param {{ name: string, script: string }} check */
function run({ name, script }) {
  const started = performance.now()
  return new Promise((resolve) => {
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
    const child = spawn(npm, ['run', '--silent', script], { cwd: root, shell: process.platform === 'win32' })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += String(data)))
    child.on('close', (code) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(0)
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
      if (code !== 0) console.log(output)
      resolve(code === 0)
    })
  })
}

requireNode()
const waiting = [...checks]
let failed = 0
async function lane() {
  for (let check = waiting.shift(); check; check = waiting.shift()) if (!(await run(check))) failed += 1
}
await Promise.all(Array.from({ length: Math.max(1, Math.min(cpus().length, checks.length)) }, lane))
process.exitCode = failed > 0 ? 1 : 0
