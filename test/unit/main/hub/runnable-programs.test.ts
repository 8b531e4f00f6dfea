import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { copyIn } from '../../../../src-main/hub/runnable-programs'
import { removeFolder } from '../../../remove-folder'

let folder: string
let source: string
let shared: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countertag-programs-'))
  source = join(folder, 'pg')
  shared = join(folder, 'shared')
  mkdirSync(shared)
  // As /tmp: every user may write, and remove only what is their own.
  chmodSync(shared, 0o1777)
  for (const part of ['bin', 'lib', 'share/timezone', 'include']) mkdirSync(join(source, part), { recursive: true })
  const file = (path: string, mode: number) => {
    writeFileSync(join(source, path), path)
    chmodSync(join(source, path), mode)
  }
  file('bin/postgres', 0o700)
  file('lib/libpq.so.5.18', 0o600)
  file('share/timezone/UTC', 0o600)
  file('include/postgres.h', 0o600)
  symlinkSync('libpq.so.5.18', join(source, 'lib/libpq.so.5'))
})
afterEach(() => removeFolder(folder))

const modeOf = (path: string) => (lstatSync(path).mode & 0o7777).toString(8)
const copies = () => readdirSync(shared).map((name) => join(shared, name))

describe.skipIf(process.platform === 'win32')('a copy of PostgreSQL for the user it runs as', () => {
  it('can be read and run by every user, and written by none but its maker', async () => {
    const copy = await copyIn(shared, source)
    expect(['', 'bin', 'bin/postgres', 'lib', 'share/timezone'].map((path) => modeOf(join(copy, path)))).toEqual(
      Array(5).fill('755'),
    )
    expect(['lib/libpq.so.5.18', 'share/timezone/UTC'].map((path) => modeOf(join(copy, path)))).toEqual(['644', '644'])
    expect(readFileSync(join(copy, 'lib/libpq.so.5'), 'utf8')).toBe('lib/libpq.so.5.18')
    // Only what it runs with.
    expect(existsSync(join(copy, 'include'))).toBe(false)
  })

  it('is made once, also from another folder with the same PostgreSQL; another version gets its own', async () => {
    const first = await copyIn(shared, source)
    expect(await copyIn(shared, source)).toBe(first)
    writeFileSync(join(source, 'bin/postgres'), 'a newer version')
    expect(await copyIn(shared, source)).not.toBe(first)
    expect(copies()).toHaveLength(2)
  })

  it('is whole for each of several that make it at once', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => copyIn(shared, source)))
    for (const copy of new Set(made)) {
      expect(readFileSync(join(copy, 'share/timezone/UTC'), 'utf8')).toBe('share/timezone/UTC')
      expect(modeOf(copy)).toBe('755')
    }
    expect(new Set(copies())).toEqual(new Set(made))
    expect(new Set(await Promise.all([copyIn(shared, source), copyIn(shared, source)])).size).toBe(1)
  })

  it.each([
    ['cut short', (copy: string) => truncateSync(join(copy, 'bin/postgres'), 3)],
    ['without a file', (copy: string) => rmSync(join(copy, 'share/timezone/UTC'))],
    ['with one file more', (copy: string) => writeFileSync(join(copy, 'lib/more.so'), '')],
    ['with a link that leads elsewhere', relink],
    ['still in the making', (copy: string) => chmodSync(copy, 0o700)],
    ['writable for others', (copy: string) => chmodSync(copy, 0o777)],
  ])('is not used when it is %s', async (_, harm) => {
    const first = await copyIn(shared, source)
    harm(first)
    const next = await copyIn(shared, source)
    expect(next).not.toBe(first)
    expect(await copyIn(shared, source)).toBe(next)
  })

  it.skipIf(process.platform !== 'linux' || !existsSync('/bin/sleep'))(
    'of another version is removed with the next one, unless it was used within a day or runs',
    async () => {
      const version = (program: string | Buffer) => {
        writeFileSync(join(source, 'bin/postgres'), program)
        return copyIn(shared, source)
      }
      const days = (count: number) => new Date(Date.now() - count * 86_400_000)
      const [old, recent, running] = [
        await version('an old version'),
        await version('a recent version'),
        await version(readFileSync('/bin/sleep')),
      ]
      for (const copy of [old, running]) utimesSync(copy, days(2), days(2))
      utimesSync(recent, days(2), days(2))
      expect(await version('a recent version')).toBe(recent)
      const child = spawn(join(running, 'bin/postgres'), ['600'])
      await once(child, 'spawn')
      const newest = await version('the newest')
      expect(copies().sort()).toEqual([recent, running, newest].sort())
      child.kill()
      await once(child, 'exit')
      const next = await version('the next one')
      expect(copies().sort()).toEqual([recent, newest, next].sort())
    },
  )

  it('removes what a killed process left half-made, and leaves one that is being made', async () => {
    const [old, young] = [await copyIn(shared, source), join(shared, 'other')]
    mkdirSync(young)
    chmodSync(old, 0o700)
    utimesSync(old, new Date(0), new Date(0))
    const next = await copyIn(shared, source)
    expect(copies().sort()).toEqual([next, young].sort())
  })

  it('is never made where other users could replace it', async () => {
    chmodSync(shared, 0o777)
    await expect(copyIn(shared, source)).rejects.toThrow('other users can change what is in')
    expect(copies()).toEqual([])
  })

  it('never follows a link to a folder of the right name', async () => {
    const first = await copyIn(shared, source)
    const elsewhere = join(folder, 'elsewhere')
    mkdirSync(elsewhere)
    for (const part of ['bin', 'lib', 'share']) symlinkSync(join(first, part), join(elsewhere, part))
    rmSync(first, { recursive: true })
    symlinkSync(elsewhere, first)
    expect(await copyIn(shared, source)).not.toBe(first)
  })

  it.skipIf(process.getuid?.() !== 0)('takes nothing that another user planted', async () => {
    const first = await copyIn(shared, source)
    writeFileSync(join(first, 'bin/postgres'), 'bin/postgreS')
    chownSync(first, 65_534, 65_534)
    const next = await copyIn(shared, source)
    expect(readFileSync(join(next, 'bin/postgres'), 'utf8')).toBe('bin/postgres')
  })
})

function relink(copy: string): void {
  rmSync(join(copy, 'lib/libpq.so.5'))
  symlinkSync('/elsewhere', join(copy, 'lib/libpq.so.5'))
}
