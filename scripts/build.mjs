import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { runNode } from './child.mjs'

const outputs = [
  'main/electron.js',
  'main/browser.js',
  'main/serve.js',
  'preload/preload.cjs',
  'renderer/index.html',
  'licences.txt',
]
const sources = [
  'src-shared',
  'src-main',
  'src-practice',
  'src-renderer',
  'electron.vite.config.ts',
  'scripts/build',
  'scripts/package/licences.ts',
  'package-lock.json',
]

/**
 * Whether out/ is complete and younger than everything it is made of.
 *
 * @param {string} root
 */
export function isBuilt(root) {
  const built = outputs.map((file) => join(root, 'out', file))
  if (!built.every((file) => existsSync(file))) return false
  const oldest = Math.min(...built.map((file) => statSync(file).mtimeMs))
  return sources.every((source) => newest(join(root, source)) <= oldest)
}

/**
 * Builds without a word, unless it fails: then everything that was said is shown. Resolves with whether it worked.
 *
 * @param {string} root
 */
export async function build(root) {
  let said = ''
  const ending = await runNode([join(root, 'node_modules/electron-vite/bin/electron-vite.js'), 'build'], {
    cwd: root,
    onOutput: (text) => {
      said += text
    },
  })
  if (ending.code !== 0 && !ending.asked) console.error(said.trimEnd())
  return ending.code === 0
}

/** @param {string} path */
function newest(path) {
  const own = statSync(path)
  if (!own.isDirectory()) return own.mtimeMs
  let latest = 0
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) latest = Math.max(latest, statSync(join(entry.parentPath, entry.name)).mtimeMs)
  }
  return latest
}
