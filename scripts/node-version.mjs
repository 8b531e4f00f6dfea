import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const needed = 22
const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Why a script can't run on this Node, in one sentence with what to do; undefined if it can.
 *
 * @param {object} facts
 * @param {string} facts.version of the Node that runs the script
 * @param {boolean} facts.hasOwnNode whether the npm package "node" is installed
 * @param {string} facts.command how npm starts the script
 */
export function tooOld({ version, hasOwnNode, command }) {
  if (Number(version.split('.')[0]) >= needed) return undefined
  const cause = `Countertag needs Node ${needed} or newer, and this is Node ${version}`
  return hasOwnNode
    ? `${cause}. The Node that it needs is installed beside it, and npm uses that one: start it with \`${command}\`.`
    : `${cause}. The npm package "node" brings one, but its program is missing: run \`npm ci\` without --ignore-scripts, then \`${command}\`.`
}

/**
 * How npm starts a script of the repository, from the scripts of its package.json, or the tool that reads our configuration.
 *
 * @param {Record<string, string>} scripts
 * @param {string} path of the file, from the root of the repository, with slashes
 */
export function npmCommand(scripts, path) {
  const tool = /^node_modules\/(?:\.bin\/|@)?([^/]+)/.exec(path)?.[1]
  if (tool !== undefined) return `npm exec -- ${tool}`
  const name = Object.keys(scripts).find((key) => scripts[key]?.split(' ').includes(path))
  if (name === undefined) return `npm exec -- tsx ${path}`
  return name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name}`
}

/**
 * Ends the script with one sentence when it runs on an older Node than the native parts need: better-sqlite3 would not
 * fail there, it would take the process down.
 */
export function requireNode() {
  const version = process.versions.node
  if (tooOld({ version, hasOwnNode: true, command: '' }) === undefined) return
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const path = relative(root, process.argv[1] ?? '').replaceAll(sep, '/')
  const hasOwnNode = ['node', 'node.exe'].some((name) => existsSync(join(root, 'node_modules/node/bin', name)))
  console.error(tooOld({ version, hasOwnNode, command: npmCommand(scripts, path) }))
  process.exit(1)
}
