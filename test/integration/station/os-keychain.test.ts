import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { removeFolder } from '../../remove-folder'

const run = promisify(execFile)
const child = inject('programs')['keychain-child']

const isThere = (program: string) => spawnSync(program, ['--version']).error === undefined
const isRequired = process.env['COUNTERTAG_KEYRING'] === 'required'
const canRun = process.platform === 'linux' && isThere('dbus-run-session') && isThere('gnome-keyring-daemon')

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
const found = (value: string | null) => ({ ok: true, value })
const refused = (code: string) => ({ ok: false, error: { code } })
const done = found(null)

// CI has both programs and says so. There the tests are not skipped, and fail without the programs.
describe.skipIf(!canRun && !isRequired)('the keychain of Linux, a real one', { timeout: 90_000 }, () => {
  let home: string
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'countertag-keyring-'))
    mkdirSync(join(home, 'run'), { mode: 0o700 })
  })
  afterEach(() => removeFolder(home))

  const environment = () => {
    const { DBUS_SESSION_BUS_ADDRESS: _ours, DISPLAY: _screen, WAYLAND_DISPLAY: _too, ...rest } = process.env
    return { ...rest, HOME: home, XDG_DATA_HOME: join(home, 'data'), XDG_RUNTIME_DIR: join(home, 'run') }
  }
  const stepsCommand = (steps: string[]) => [process.execPath, child, ...steps].map(quoted).join(' ')
  const answersIn = (stdout: string): unknown[] =>
    stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line): unknown => JSON.parse(line))

  /** A login session: its bus, the script `before`, then the steps. Returns the result of each step. */
  const session = async (before: string, ...steps: string[]) => {
    const { stdout } = await run('dbus-run-session', ['--', 'sh', '-c', `${before}\n${stepsCommand(steps)}`], {
      env: environment(),
    })
    return answersIn(stdout)
  }
  const unlocked = 'printf word | gnome-keyring-daemon --unlock --components=secrets >/dev/null'
  const lock =
    'dbus-send --session --print-reply --dest=org.freedesktop.secrets /org/freedesktop/secrets ' +
    'org.freedesktop.Secret.Service.Lock array:objpath:/org/freedesktop/secrets/collection/login >/dev/null'

  it('keeps, returns, replaces and forgets a secret', async () => {
    const steps = [
      'read a',
      'write a first',
      'read a',
      'write a señal 店 "2"',
      'read a',
      'read b',
      'remove a',
      'read a',
      'remove a',
    ]
    expect(await session(unlocked, ...steps)).toEqual([
      done,
      done,
      found('first'),
      done,
      found('señal 店 "2"'),
      done,
      done,
      done,
      done,
    ])
  })

  it('returns a secret in the next session', async () => {
    expect(await session(unlocked, 'write a kept')).toEqual([done])
    expect(existsSync(join(home, 'data/keyrings/login.keyring'))).toBe(true)
    expect(await session(unlocked, 'read a')).toEqual([found('kept')])
  })

  it('refuses and loses nothing if it is locked and its question dismissed', async () => {
    expect(await session(unlocked, 'write a kept')).toEqual([done])
    // Without a screen the keyring's question ends as if it had been closed.
    const inTheMiddle = `${unlocked}\n${stepsCommand(['read a'])}\n${lock}`
    expect(await session(inTheMiddle, 'read a', 'write a other', 'remove a')).toEqual([
      found('kept'),
      refused('keychain/denied'),
      refused('keychain/denied'),
      refused('keychain/denied'),
    ])
    expect(await session(unlocked, 'read a')).toEqual([found('kept')])
  })

  it('counts as missing if no keyring exists and none can be made', async () => {
    expect(await session('true', 'read a', 'write a x')).toEqual([done, refused('keychain/missing')])
  })

  it.each([
    ['no bus', {}],
    ['a bus that is gone', { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere/bus' }],
    ['nonsense for a bus', { DBUS_SESSION_BUS_ADDRESS: 'bus' }],
  ])('is missing in a session with %s', async (_what, more) => {
    const { stdout } = await run('sh', ['-c', stepsCommand(['read a', 'write a x', 'remove a'])], {
      env: { ...environment(), ...more },
    })
    expect(answersIn(stdout)).toEqual(Array.from({ length: 3 }, () => refused('keychain/missing')))
  })
})
