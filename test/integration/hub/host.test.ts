import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePort, testPrograms } from '../../hub/server'
import { joinHub } from '../../hub/station'
import { removeFolder } from '../../remove-folder'

const root = join(import.meta.dirname, '../../..')
let folder: string
let children: ChildProcess[]
beforeEach(() => {
  // Only its owner may enter it, as the home folder of root.
  folder = mkdtempSync(join(tmpdir(), 'countertag-keep-'))
  children = []
})
afterEach(async () => {
  await Promise.all(
    children.map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
    }),
  )
  await removeFolder(folder)
})

/** The command of a person. Resolves with what it printed first, or with why it ended. */
function hub(
  ...flags: string[]
): Promise<{ child: ChildProcess; url?: string; problem?: string; code?: number | null }> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/hub/main.ts', ...flags], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let said = ''
  return new Promise((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const [, url] = /^Hub: (.+)$/m.exec(text) ?? []
      if (url !== undefined) resolve({ child, url })
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
    child.once('close', (code) => resolve({ child, problem: said.trim(), code }))
  })
}
const data = () => join(folder, 'hub')

describe('npm run hub', () => {
  it('prints an address that stations join, and keeps what they share over a restart', async () => {
    const port = String(await freePort())
    const first = await hub('--data', data(), '--port', port)
    const { hostname, username, password, pathname } = new URL(first.url ?? '')
    const address = {
      host: hostname,
      port: Number(port),
      database: pathname.slice(1),
      user: username,
      password,
      certificate: null,
    }
    const one = await joinHub(address, 'Station 1')
    const epoch = (await one.epoch()) ?? 0
    await one.log.push('settings', { upTo: 0, epoch }, [{ key: 'limits', body: '7' }])
    await one.close()
    const ended = new Promise((resolve) => first.child.once('exit', resolve))
    first.child.kill('SIGTERM')
    expect(await ended).toBe(0)

    const second = await hub('--data', data(), '--port', port)
    expect(second.url).toBe(first.url)
    const again = await joinHub(address, 'Station 1b')
    expect(await again.log.since('settings', 0)).toMatchObject({ records: [{ key: 'limits', body: '7' }] })
    await again.close()
    // The role of the stations owns its database and nothing else.
    const client = new pg.Client(address)
    await client.connect()
    for (const text of [
      'CREATE ROLE more',
      'CREATE DATABASE more',
      'SELECT rolpassword FROM pg_authid',
      `COPY (SELECT 1) TO '/tmp/x'`,
    ])
      await expect(client.query(text)).rejects.toThrow(/permission denied/)
    await client.end()
    await expect(new pg.Client({ ...address, database: 'postgres' }).connect()).rejects.toThrow(/no pg_hba.conf entry/)
    if (process.platform !== 'win32') expect(statSync(join(data(), 'hub.json')).mode & 0o777).toBe(0o600)

    expect(await hub('--data', data(), '--port', String(await freePort()))).toMatchObject({
      code: 1,
      problem: `Another PostgreSQL keeps the data in ${data()}.`,
    })
    expect(await hub('--data', join(folder, 'other'), '--port', port)).toMatchObject({
      code: 1,
      problem: `Port ${port} is in use. Choose another one with --port.`,
    })
  })

  it('runs programs and keeps data below a folder that only this user may enter, and opens it to no other', async () => {
    const closed = join(folder, 'Größe 9')
    const [own, kept] = [join(closed, 'pg'), join(closed, 'stores', 'hub')]
    mkdirSync(join(closed, 'stores'), { recursive: true, mode: 0o700 })
    cpSync(dirname(testPrograms().folder), own, { recursive: true, verbatimSymlinks: true })
    const modes = () => [folder, closed, join(closed, 'stores')].map((path) => statSync(path).mode & 0o7777)
    const first = await hub('--data', kept, '--port', String(await freePort()), '--postgres', own)
    expect(first.problem).toBeUndefined()
    const client = new pg.Client(first.url)
    await client.connect()
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    await client.end()
    expect(modes()).toEqual([0o700, 0o700, 0o700])
    for (const { name } of readdirSync(kept, { withFileTypes: true }).filter((entry) => entry.isFile()))
      expect([name, statSync(join(kept, name)).mode & 0o077]).toEqual([name, 0])
  })

  it('goes on after a kill that left its PostgreSQL behind, once that has ended', async () => {
    const port = String(await freePort())
    const first = await hub('--data', data(), '--port', port)
    const pid = Number(readFileSync(join(data(), 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
    first.child.kill('SIGKILL')
    // As a power cut ends it.
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => isAlive(pid)).toBe(false)
    const second = await hub('--data', data(), '--port', port)
    expect(second.url).toBe(first.url)
  })

  it.each([
    [[], 'Name the folder for the data: --data DIR.'],
    [['--data', 'x', '--port', '70000'], '--port must be a number from 1 to 65535, not "70000".'],
    [
      ['--data', 'x', '--postgres', 'nowhere'],
      'There is no PostgreSQL in nowhere: the folder needs postgres and initdb.',
    ],
    [['--data', 'x', '--colour'], "Unknown option '--colour'"],
  ])('refuses %j in a sentence', async (flags, problem) => {
    const answer = await hub(...flags)
    expect(answer.code).toBe(1)
    expect(answer.problem).toContain(problem)
  })

  it('refuses data of another version, and passwords that can’t be read, and leaves both as they are', async () => {
    mkdirSync(join(data(), 'data'), { recursive: true, mode: 0o700 })
    writeFileSync(join(data(), 'data', 'PG_VERSION'), '9.6\n')
    const other = await hub('--data', data(), '--port', String(await freePort()))
    expect(other.code).toBe(1)
    expect(other.problem).not.toContain('    at ')
    expect(readFileSync(join(data(), 'data', 'PG_VERSION'), 'utf8')).toBe('9.6\n')
    writeFileSync(join(data(), 'hub.json'), '{')
    expect(await hub('--data', data(), '--port', '5999')).toMatchObject({
      code: 1,
      problem: `The passwords in ${join(data(), 'hub.json')} can't be read.`,
    })
  })
})

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
