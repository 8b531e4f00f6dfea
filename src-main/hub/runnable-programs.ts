import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, existsSync, lstatSync, openSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { chmod, copyFile, mkdir, mkdtemp, readdir, rm, symlink, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { namesIn } from '../database/files'
import { asServer, isRoot } from './server-user'

/** The programs of a PostgreSQL. */
export interface Binaries {
  postgres: string
  initdb: string
}

/** What PostgreSQL runs with, in the folder that holds its `bin`. */
const folders = ['bin', 'lib', 'share']
/** The largest copy that is made. A PostgreSQL has a thousand files and 60 MB. */
const mostFiles = 20_000
const mostBytes = 1_000_000_000
/** A copy that another process makes is finished long before, in ms. */
const longestMaking = 3_600_000

/** A copy of another version is removed if no start has used it for so long, in ms. */
const longestUnused = 86_400_000
const copyName = /^countertag-postgresql-[\da-f]{16}-/

/** Folders that every user of a computer can reach. TMPDIR may be a person's own, so it comes last. */
const sharedFolders = (): string[] => ['/tmp', '/var/tmp', '/dev/shm', tmpdir()]

/**
 * Programs that the user can run whom PostgreSQL runs as: the same ones, or a copy in a folder that this user can reach, if
 * they lie below one that only root may enter. A copy is made once and used again; older versions' are removed then. Rejects if
 * there is no way.
 */
export async function runnablePrograms(binaries: Binaries): Promise<Binaries> {
  if (!isRoot() || (await isRunnable(binaries))) return binaries
  const bin = dirname(binaries.postgres)
  let last = 'only the folder bin of a PostgreSQL can be copied'
  if (basename(bin) === 'bin')
    for (const place of sharedFolders()) {
      try {
        const copy = join(await copyIn(place, dirname(bin)), 'bin')
        const copied = {
          postgres: join(copy, basename(binaries.postgres)),
          initdb: join(copy, basename(binaries.initdb)),
        }
        if (await isRunnable(copied)) return copied
        last = `nothing can be run in ${place}`
      } catch (cause) {
        last = cause instanceof Error ? cause.message : String(cause)
      }
    }
  throw new Error(`Permission denied: the user that PostgreSQL runs as can't run ${binaries.postgres}; a copy: ${last}`)
}

async function isRunnable({ postgres }: Binaries): Promise<boolean> {
  try {
    await promisify(execFile)(postgres, ['--version'], { ...asServer(), timeout: 10_000, windowsHide: true })
    return true
  } catch {
    return false
  }
}

/**
 * The copy of a PostgreSQL in a shared folder, made if there is none. Until it is complete, only its maker may enter it: what
 * others may enter is whole. Nothing is taken from a folder that another user made. Rejects if it can't be made there.
 */
export async function copyIn(shared: string, source: string): Promise<string> {
  const place = safeFolder(shared)
  const entries = await entriesOf(source)
  const digest = digestOf(entries)
  const prefix = `countertag-postgresql-${digest.slice(0, 16)}-`
  const known = await copyAmong(place, prefix, digest)
  if (known !== undefined) {
    // Where the use can't be noted, nothing can be removed either.
    await utimes(known, new Date(), new Date()).catch(() => undefined)
    return known
  }
  const making = await mkdtemp(join(place, prefix))
  try {
    await write(making, source, entries)
    // Another process may have been faster.
    const other = await copyAmong(place, prefix, digest)
    if (other === undefined) {
      await chmod(making, 0o755)
      // What can't be removed now is tried again with the next version.
      await removeUnused(place, prefix).catch(() => undefined)
      return making
    }
    await rm(making, { recursive: true, force: true })
    return other
  } catch (cause) {
    await rm(making, { recursive: true, force: true })
    throw cause
  }
}

/** A folder in which no user can replace what another one made. Throws if it isn't one. */
function safeFolder(folder: string): string {
  const place = realpathSync(folder)
  const { uid, mode } = lstatSync(place)
  const isSticky = (mode & 0o1000) !== 0
  if ((uid !== 0 && uid !== process.getuid?.()) || ((mode & 0o022) !== 0 && !isSticky))
    throw new Error(`other users can change what is in ${folder}`)
  return place
}

async function copyAmong(place: string, prefix: string, digest: string): Promise<string | undefined> {
  for (const name of namesIn(place).sort()) {
    if (!name.startsWith(prefix)) continue
    const copy = join(place, name)
    const state = lstatSync(copy, { throwIfNoEntry: false })
    if (!state?.isDirectory() || state.uid !== process.getuid?.()) continue
    // A program that cleans temporary folders may have taken a part of it.
    if ((state.mode & 0o777) === 0o755 && digestOf(await entriesOf(copy)) === digest) return copy
    // A killed process left this copy unfinished: one that is being made was touched since.
    if (Date.now() - state.mtimeMs > longestMaking) await rm(copy, { recursive: true, force: true })
  }
  return undefined
}

/** Removes the copies of other versions that are out of use, and leaves all if that can't be told. */
async function removeUnused(place: string, prefix: string): Promise<void> {
  if (process.platform !== 'linux') return
  const others = namesIn(place).filter((name) => copyName.test(name) && !name.startsWith(prefix))
  const commands = others.length > 0 ? runningCommands() : ''
  for (const name of others) {
    const copy = join(place, name)
    const state = lstatSync(copy, { throwIfNoEntry: false })
    if (!state?.isDirectory() || state.uid !== process.getuid?.()) continue
    if (Date.now() - state.mtimeMs <= longestUnused || commands.includes(`${copy}/`)) continue
    if (!isExecuting(join(copy, 'bin', 'postgres'))) await rm(copy, { recursive: true, force: true })
  }
}

/** The command lines of all processes that this one sees. Throws if it may not see them. */
function runningCommands(): string {
  return namesIn('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      } catch (cause) {
        if (existsSync(`/proc/${pid}`)) throw cause
        // It has ended.
        return ''
      }
    })
    .join('\n')
}

/** Whether a process runs a program, also in another container: Linux then refuses to open it for writing (ETXTBSY). */
function isExecuting(program: string): boolean {
  try {
    closeSync(openSync(program, 'r+'))
    return false
  } catch {
    return existsSync(program)
  }
}

/** A file, link or folder of a PostgreSQL. */
interface ProgramEntry {
  path: string
  kind: 'file' | 'link' | 'folder'
  /** In bytes, of a file. */
  size: number
  target: string
  isProgram: boolean
}

/** What a PostgreSQL consists of, folders before what they hold. Rejects if that is too much for a copy. */
async function entriesOf(root: string): Promise<ProgramEntry[]> {
  const entries: ProgramEntry[] = []
  let bytes = 0
  const walk = async (path: string): Promise<void> => {
    const state = lstatSync(join(root, path), { throwIfNoEntry: false })
    if (!state || entries.length >= mostFiles) return
    const kind = state.isDirectory() ? 'folder' : state.isSymbolicLink() ? 'link' : 'file'
    const size = kind === 'file' ? state.size : 0
    bytes += size
    entries.push({
      ...{ path, kind, size, isProgram: (state.mode & 0o100) !== 0 },
      target: kind === 'link' ? readlinkSync(join(root, path)) : '',
    })
    if (kind === 'folder') for (const name of (await readdir(join(root, path))).sort()) await walk(join(path, name))
  }
  for (const folder of folders) await walk(folder)
  if (entries.length >= mostFiles || bytes > mostBytes) throw new Error(`${root} is too large for a copy`)
  return entries
}

const digestOf = (entries: ProgramEntry[]): string =>
  createHash('sha256')
    .update(entries.map(({ path, kind, size, target }) => `${path}\0${kind}\0${size}\0${target}\n`).join(''))
    .digest('hex')

async function write(folder: string, source: string, entries: ProgramEntry[]): Promise<void> {
  for (const { path, kind, target, isProgram } of entries) {
    const to = join(folder, path)
    if (kind === 'folder') await mkdir(to)
    else if (kind === 'link') await symlink(target, to)
    else await copyFile(join(source, path), to)
    // Readable for others, even where a strict umask made the source.
    if (kind !== 'link') await chmod(to, kind === 'folder' || isProgram ? 0o755 : 0o644)
  }
}
