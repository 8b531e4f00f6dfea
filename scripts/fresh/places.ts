import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import process from 'node:process'

/** The commands of README, "Two commands". */
export const commands = { start: 'npm ci && npm start', test: 'npm ci && npm test' } as const
export type Command = keyof typeof commands

/** A kind of place where a person tries Countertag. */
export interface Condition {
  name: string
  /** Below a folder that only root may enter, instead of a temporary one. */
  isOfRoot?: boolean
  /** As a user without rights. Without root, everything runs as the person who started it. */
  isOrdinary?: boolean
  hasLetters?: boolean
  /** `git archive` instead of a clone. */
  isArchive?: boolean
  /** What is shown there; of `--all` both. */
  shows: Command[]
}

/** Each start is shown alone, so that a failure names its cause. The tests, which take minutes, run where most conditions meet. */
export const conditions: Condition[] = [
  { name: "in a folder that only root may enter, in root's home", isOfRoot: true, shows: ['start'] },
  { name: 'as a user without rights', isOrdinary: true, shows: ['start'] },
  { name: 'in a path with spaces and letters such as ü', hasLetters: true, shows: ['start'] },
  { name: 'from an archive without .git', isArchive: true, shows: ['start'] },
  {
    name: 'as a user without rights, in a path with spaces and ü, from an archive',
    ...{ isOrdinary: true, hasLetters: true, isArchive: true, shows: ['test'] },
  },
]

/** What is tried: of `--all`, both commands under each condition alone. */
export const planOf = (isAll: boolean): Condition[] =>
  isAll ? conditions.slice(0, 4).map((one) => ({ ...one, shows: ['start', 'test'] })) : conditions

/** A fresh copy of the repository, and how a command runs there. */
export interface Place {
  repository: string
  options: { uid?: number; gid?: number; env: NodeJS.ProcessEnv }
  remove(): void
}

const isRoot = process.getuid?.() === 0
const user = 'countertag-fresh'

/** Runs a program to its end. Throws with its last words if it fails. */
function run(program: string, args: string[], options: { cwd?: string; input?: Buffer } = {}): Buffer {
  const { status, stdout, stderr, error } = spawnSync(program, args, { ...options, maxBuffer: 1_000_000_000 })
  if (error) throw error
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr.toString().trim().slice(-1_000)}`)
  return stdout
}
const said = (program: string, args: string[], cwd: string) => run(program, args, { cwd }).toString().trim()

/** Makes a place from HEAD. `root`: the repository. Throws if that isn't possible here. */
export function makePlace({ isOfRoot, isOrdinary, hasLetters, isArchive }: Condition, root: string): Place {
  // Made with mode 0700.
  const top = mkdtempSync(join(isOfRoot ? homedir() : tmpdir(), 'countertag-fresh-'))
  const other = isOrdinary && isRoot ? makeUser() : undefined
  const remove = () => {
    rmSync(top, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
    if (other) removeUser(other)
  }
  try {
    if (!isOfRoot) chmodSync(top, 0o755)
    const repository = join(top, ...(hasLetters ? ['Señora Müller 9', 'Countertag ü & more'] : ['countertag']))
    const home = join(top, 'home')
    const programs = join(top, 'programs')
    for (const folder of [repository, home, programs]) mkdirSync(folder, { recursive: true })
    copyHead(root, repository, isArchive === true)
    // A browser of the person who runs this is left alone.
    writeFileSync(join(programs, 'xdg-open'), '#!/bin/sh\n', { mode: 0o755 })
    const cache = other ? copyCache(root, top) : said('npm', ['config', 'get', 'cache'], root)
    if (other) run('chown', ['-R', `${other.uid}:${other.gid}`, top])
    return { repository, remove, options: { ...other, env: environment({ root, home, programs, cache }) } }
  } catch (cause) {
    remove()
    throw cause
  }
}

function copyHead(root: string, to: string, isArchive: boolean): void {
  const head = said('git', ['rev-parse', 'HEAD'], root)
  if (isArchive) {
    run('tar', ['-x', '-C', to], { input: run('git', ['archive', '--format=tar', head], { cwd: root }) })
    return
  }
  run('git', ['clone', '--quiet', '--no-hardlinks', '--no-checkout', root, to])
  run('git', ['-c', 'advice.detachedHead=false', 'checkout', '--quiet', head], { cwd: to })
}

/** npm's downloads, for a user who can't read ours. */
function copyCache(root: string, top: string): string {
  const [own, copy] = [said('npm', ['config', 'get', 'cache'], root), join(top, 'npm-cache')]
  mkdirSync(copy)
  if (existsSync(join(own, '_cacache'))) cpSync(join(own, '_cacache'), join(copy, '_cacache'), { recursive: true })
  return copy
}

/** Nothing of the person and of the npm that runs this, but how packages are downloaded. */
function environment(parts: { root: string; home: string; programs: string; cache: string }): NodeJS.ProcessEnv {
  const { root, home, programs, cache } = parts
  const kept = Object.entries(process.env).filter(([name]) =>
    /^(LANG|TERM|TZ|https?_proxy|no_proxy|.*CERT.*)$/i.test(name),
  )
  // npm puts our own Node first; a fresh machine has none of it.
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  return {
    ...Object.fromEntries(kept),
    PATH: [programs, ...path].join(delimiter),
    HOME: home,
    npm_config_cache: cache,
    npm_config_registry: said('npm', ['config', 'get', 'registry'], root),
    npm_config_prefer_offline: 'true',
  }
}

interface User {
  uid: number
  gid: number
}

function makeUser(): User {
  if (spawnSync('id', [user]).status !== 0) run('useradd', ['--system', '--no-create-home', '--shell', '/bin/sh', user])
  const number = (flag: string) => Number(run('id', [flag, user]).toString())
  return { uid: number('-u'), gid: number('-g') }
}

/** With what its programs left in shared folders. */
function removeUser({ uid }: User): void {
  for (const folder of new Set([tmpdir(), '/tmp', '/dev/shm']))
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      const path = join(folder, name)
      if (statSync(path, { throwIfNoEntry: false })?.uid === uid) rmSync(path, { recursive: true, force: true })
    }
  spawnSync('userdel', [user])
}
