import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { removeFolder } from '../../remove-folder'

const root = join(import.meta.dirname, '../../..')
const isRoot = process.getuid?.() === 0
/** Another user could not reach a repository below a folder that only root may enter. */
const withoutPowers = ['setpriv', '--bounding-set=-dac_override,-dac_read_search']

/** A folder with spaces and non-English letters, as users have. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countertag start '))
  onTestFinished(() => removeFolder(folder))
  return folder
}

/**
 * The browser host in a separate process. `before`: a script to run first. `isOrdinary`: without the power of root to ignore
 * permissions.
 */
function start(
  dataDir: string,
  { isOrdinary = false, args = ['--no-open'], path = '', before = '', policy = '' } = {},
) {
  const command = [
    ...(before === '' ? [] : ['--import', `data:text/javascript,${before}`]),
    inject('programs').browser,
    '--data-dir',
    dataDir,
    ...args,
  ]
  const env = {
    ...process.env,
    COUNTERTAG_KEYCHAIN: 'off',
    ...(path === '' ? {} : { PATH: path }),
    ...(policy === '' ? {} : { COUNTERTAG_POLICY: policy }),
  }
  const [program = '', ...rest] = [...(isOrdinary && isRoot ? withoutPowers : []), process.execPath, ...command]
  const child = spawn(program, rest, { cwd: root, env })
  const run = {
    out: '',
    error: '',
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
    ended: new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code))),
  }
  child.stdout.on('data', (data: Buffer) => (run.out += data.toString()))
  child.stderr.on('data', (data: Buffer) => (run.error += data.toString()))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await run.ended
  })
  return run
}
const until = (isSo: () => boolean) => vi.waitUntil(isSo, { timeout: 40_000, interval: 20 })

/** A problem of the data folder, and the sentence shown for it. */
const troubles: [what: string, says: RegExp, spoil: (folder: string) => void][] = [
  [
    'settings of a newer version',
    /written by a newer Countertag/,
    (at) => writeFileSync(join(at, 'station.json'), '{"version":2}'),
  ],
  [
    'a folder for settings',
    /can't read and write .*station\.json \(EISDIR\)/,
    (at) => mkdirSync(join(at, 'station.json')),
  ],
  ['a folder for a key', /can't read and write .*data\.key \(EISDIR\)/, (at) => mkdirSync(join(at, 'data.key'))],
  ['a file for a folder', /can't read and write .*countertag\.db/, (at) => writeFileSync(join(at, 'practice'), '')],
]

/** The same for a folder that can't be written, like a read-only disk, or not even read. */
const permissions: [what: string, says: RegExp, spoil: (folder: string) => void][] = [
  [
    'an empty data folder that may not be written to',
    /can't read and write .*\.(key|json) \(EACCES\)/,
    (at) => chmodSync(at, 0o555),
  ],
  [
    'settings that may not be read',
    /can't read and write .*station\.json \(EACCES\)/,
    (at) => {
      writeFileSync(join(at, 'station.json'), '{}')
      chmodSync(join(at, 'station.json'), 0)
    },
  ],
  [
    'damaged settings that can not be set aside',
    /can't read and write .*station\.json \(EACCES\)/,
    (at) => {
      writeFileSync(join(at, 'station.json'), '{"version":1,')
      chmodSync(at, 0o555)
    },
  ],
  [
    'a folder of a profile that may not be written to',
    /can't read and write .*countertag\.db \(\w+\)/,
    (at) => {
      mkdirSync(join(at, 'practice'))
      chmodSync(join(at, 'practice'), 0o555)
    },
  ],
  [
    'a key that may not be read',
    /can't read and write .*data\.key \(EACCES\)/,
    (at) => {
      writeFileSync(join(at, 'data.key'), Buffer.alloc(32, 7).toString('base64'))
      chmodSync(join(at, 'data.key'), 0)
    },
  ],
]

describe("the browser host on a data folder it can't use", () => {
  it.each([...troubles.map((one) => [...one, false] as const), ...permissions.map((one) => [...one, true] as const)])(
    'says so in one sentence and ends: %s',
    async (_what, says, spoil, isOrdinary) => {
      const folder = join(newFolder(), 'Señora ü 店')
      mkdirSync(folder)
      spoil(folder)
      const before = readdirSync(folder)
      const run = start(folder, { isOrdinary })
      expect(await run.ended).toBe(1)
      expect(run.error.trim().split('\n')).toEqual([expect.stringMatching(says)])
      expect(run.out).toBe('')
      // All files are still there under the same names.
      expect(readdirSync(folder)).toEqual(expect.arrayContaining(before))
    },
  )

  it("says in one sentence which field of IT's policy is wrong, and opens nothing", async () => {
    const folder = newFolder()
    const policy = join(folder, 'policy.json')
    writeFileSync(policy, '{"lock": {"afterMinutes": 0}, "allowPractise": false}')
    const run = start(join(folder, 'data'), { policy })
    expect(await run.ended).toBe(1)
    expect(run.error).toMatch(
      /^The policy in .*policy\.json can't be used: lock\.afterMinutes: .*; allowPractise: unknown field\.\n$/,
    )
    expect(existsSync(join(folder, 'data', 'practice'))).toBe(false)
  })

  it('starts in a folder with spaces and non-English letters in its name', async () => {
    const folder = join(newFolder(), "Señora O'Neil & ü 店 %20")
    const run = start(folder)
    await until(() => run.out.includes('Ready: '))
    expect(existsSync(join(folder, 'practice', 'countertag.db'))).toBe(true)
    // Without a keychain the customer key is stored here, readable by this user only.
    expect(readFileSync(join(folder, 'data.key'), 'utf8')).toMatch(/^[\w+/]{43}=\n$/)
    run.kill('SIGTERM')
    expect(await run.ended).toBe(0)
  })

  it.skipIf(process.platform === 'win32').each([
    ['an exception', 'throw new Error("a bug")'],
    ['a rejection', 'Promise.reject(new Error("a bug"))'],
  ])('says in one sentence that it ends if %s is not caught, and has closed its data', async (_what, bug) => {
    const folder = newFolder()
    const run = start(folder, { before: `process.on("SIGUSR2", () => { ${bug} })` })
    await until(() => run.out.includes('Ready: '))
    run.kill('SIGUSR2')
    expect(await run.ended).toBe(1)
    expect(run.error).toBe('Something went wrong inside Countertag.\n')
    const log = readFileSync(join(folder, 'practice', 'countertag.log'), 'utf8')
    expect(log).toContain('a bug')
    expect(log.trim().split('\n').at(-1)).toContain('"closed"')
  })

  it.skipIf(process.platform !== 'linux')('removes the file that opens the browser when it ends', async () => {
    const folder = newFolder()
    const programs = join(folder, 'programs')
    mkdirSync(programs)
    const told = join(folder, 'told')
    writeFileSync(join(programs, 'xdg-open'), `#!/bin/sh\nprintf '%s\\n' "$*" > '${told}'\n`, { mode: 0o755 })
    const run = start(join(folder, 'data'), { args: [], path: programs })
    await until(() => existsSync(told) && readFileSync(told, 'utf8').endsWith('\n'))
    const file = fileURLToPath(readFileSync(told, 'utf8').trim())
    expect(readFileSync(file, 'utf8')).toContain('action="http://127.0.0.1:')
    run.kill('SIGTERM')
    expect(await run.ended).toBe(0)
    expect(existsSync(dirname(file))).toBe(false)
  })

  // Only on Linux does the test know the name of the program that opens a URL.
  it.skipIf(process.platform !== 'linux')('shows a page that says what to do', async () => {
    const folder = newFolder()
    const programs = join(folder, 'programs')
    mkdirSync(programs)
    writeFileSync(join(programs, 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > '${folder}/opened'\n`, { mode: 0o755 })
    writeFileSync(join(folder, 'station.json'), '{"version":2}')
    const run = start(folder, { args: [], path: programs })
    await until(() => /What to do: \S+\n/.test(run.out) && existsSync(join(folder, 'opened')))
    expect(run.error.trim().split('\n')).toHaveLength(1)
    const url = /What to do: (\S+)/.exec(run.out)?.[1] ?? ''
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/)
    await until(() => readFileSync(join(folder, 'opened'), 'utf8') === url)

    const page = await request(url)
    const html = await page.body.text()
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-\S+'; base-uri 'none'/,
    )
    for (const text of ['Countertag cannot start', 'Countertag no puede abrirse', 'store/newer', folder]) {
      expect(html).toContain(text)
    }
    const status = async (path: string, options: Parameters<typeof request>[1] = {}) =>
      (await request(`${url}${path}`, options)).statusCode
    expect([
      await status('station.json'),
      await status('', { method: 'POST' }),
      await status('', { headers: { host: 'evil.example' } }),
      await status('', { headers: { origin: 'https://evil.example' } }),
    ]).toEqual([404, 403, 403, 403])
    run.kill('SIGTERM')
    expect(await run.ended).toBe(1)
  })
})
