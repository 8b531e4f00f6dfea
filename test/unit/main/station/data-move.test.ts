import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { silentLog } from '../../../../src-main/core/log'
import { type DataMove, finishMove, localFolderFor, moveData, moveDue } from '../../../../src-main/station/data-folder'
import { openStore } from '../../../../src-main/database/open'
import { createSettings } from '../../../../src-main/database/settings'
import { removeFolder } from '../../../remove-folder'

const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'countertag data ü '))
  onTestFinished(() => removeFolder(folder))
  return folder
}

const settingsOf = (active: string) => JSON.stringify({ version: 1, active, profiles: [] })

/** Data of an earlier version in the roaming folder: two profiles with real stores, and the runtime's own files. */
function leaveData(from: string) {
  for (const profile of ['practice', 'green-door']) {
    mkdirSync(join(from, profile), { recursive: true })
    writeIn(from, profile, `sold at ${profile}`)
    writeFileSync(join(from, profile, 'countertag.log'), 'a line\n')
    mkdirSync(join(from, profile, 'backups'))
    writeFileSync(join(from, profile, 'backups', 'countertag-1.db'), 'a backup')
  }
  for (const name of ['station.json', 'station.json.last']) writeFileSync(join(from, name), settingsOf('green-door'))
  writeFileSync(join(from, 'data.key'), 'key')
  writeFileSync(join(from, 'window-state.json'), '{}')
  mkdirSync(join(from, 'Cache'))
  writeFileSync(join(from, 'Cache', 'index'), 'of the runtime')
}

const fileIn = (folder: string, profile: string) => join(folder, profile, 'countertag.db')

function writeIn(folder: string, profile: string, said: string) {
  const store = openStore(fileIn(folder, profile))
  createSettings(store.db, silentLog).write('said', said)
  store.close()
}

function readIn(folder: string, profile: string) {
  const store = openStore(fileIn(folder, profile))
  const said = createSettings(store.db, silentLog).read('said', z.string())
  store.close()
  return [said, store.found]
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile() && !name.endsWith('.lock'))
    .sort()

const places = () => {
  const root = newFolder()
  const [from, to] = [join(root, 'Roaming', 'countertag'), join(root, 'Local', 'countertag')]
  mkdirSync(from, { recursive: true })
  return { from, to }
}

/** Renaming fails as between two disks. */
const refusingToLeave =
  ({ from }: { from: string }): DataMove['rename'] =>
  (one, other) => {
    if (!relative(from, one).startsWith('..') && relative(from, other).startsWith('..')) {
      throw Object.assign(new Error('cross-device link not permitted'), { code: 'EXDEV' })
    }
    renameSync(one, other)
  }

const volumes = [
  ['on one disk', () => renameSync],
  ['between two disks', refusingToLeave],
] as const

describe.each(volumes)('roaming data, moved %s', (_where, renameOn) => {
  const moving = (move: { from: string; to: string }, more: Partial<DataMove> = {}) => {
    moveData({ ...move, rename: renameOn(move), ...more })
  }

  it('is complete afterwards, and an earlier version finds none of it', () => {
    const move = places()
    leaveData(move.from)
    const before = filesIn(move.from).filter((name) => !name.startsWith('Cache'))
    expect(moveDue(move)).toBe('begin')
    moving(move)
    expect(filesIn(move.to)).toEqual(before)
    expect(readIn(move.to, 'green-door')).toEqual(['sold at green-door', expect.stringMatching(/untouched|sound/)])
    expect(readIn(move.to, 'practice')[0]).toBe('sold at practice')
    expect(
      ['station.json', 'station.json.last', 'green-door', 'practice'].filter((name) =>
        existsSync(join(move.from, name)),
      ),
    ).toEqual([])
    expect(existsSync(join(move.from, 'Cache', 'index'))).toBe(true)
    expect(readFileSync(join(move.from, 'moved-to-local.txt'), 'utf8')).toContain(move.to)
    expect(moveDue(move)).toBeUndefined()
  })

  const steps = (() => {
    const names: string[] = []
    const root = mkdtempSync(join(tmpdir(), 'countertag steps '))
    const move = { from: join(root, 'from'), to: join(root, 'to') }
    mkdirSync(move.from)
    leaveData(move.from)
    moveData({ ...move, rename: renameOn(move), atStep: (step) => names.push(step) })
    rmSync(root, { recursive: true })
    return names
  })()

  it('is moved in the steps that the tests interrupt', () => {
    expect([steps[0], steps[1], ...steps.slice(-2)]).toEqual(['begin', 'move station.json', 'note', 'end'])
    expect(steps.length).toBeGreaterThanOrEqual(9)
  })

  it.each(steps.map((step, n) => [n, step] as const))(
    'is moved completely by the next start after a crash before step %i (%s), and is never live in two places',
    (n) => {
      const move = places()
      leaveData(move.from)
      let left = n
      const cut = () => {
        moving(move, {
          atStep() {
            if (left-- === 0) throw new Error('cut')
          },
        })
      }
      expect(cut).toThrow()
      for (const profile of ['green-door', 'practice']) {
        const live = [move.from, move.to].filter((folder) => existsSync(fileIn(folder, profile)))
        expect(live.length, profile).toBeLessThanOrEqual(1)
      }
      // After the first step, the earlier version finds no settings with a connection.
      if (n > 1) expect(existsSync(join(move.from, 'station.json'))).toBe(false)
      expect(moveDue(move)).toBe(n === 0 ? 'begin' : 'finish')
      if (n % 2 === 0) moving(move)
      else finishMove(move.to)
      expect(moveDue(move)).toBeUndefined()
      expect(readIn(move.to, 'green-door')[0]).toBe('sold at green-door')
      expect(readIn(move.to, 'practice')[0]).toBe('sold at practice')
      expect(filesIn(move.to).filter((name) => /moving|arriving/.test(name))).toEqual([])
      // Copied files stay under a name that no version uses.
      const others = filesIn(move.from).filter((name) => !/^(Cache|moved-to-local\.txt)/.test(name))
      expect(others.filter((name) => !/\.moved-to-local($|\/)/.test(name))).toEqual([])
    },
  )

  it('is left alone while another process has one of its databases open', () => {
    const move = places()
    leaveData(move.from)
    const before = filesIn(move.from)
    const store = openStore(fileIn(move.from, 'green-door'))
    expect(() => {
      moving(move)
    }).toThrow(expect.objectContaining({ code: 'store/in-use' }))
    store.close()
    expect([filesIn(move.from), existsSync(move.to)]).toEqual([before, false])
    moving(move)
    expect(readIn(move.to, 'green-door')[0]).toBe('sold at green-door')
  })

  it('never replaces data in the local folder, since it comes from another till', () => {
    const move = places()
    leaveData(move.to)
    leaveData(move.from)
    writeIn(move.from, 'green-door', 'sold at another till')
    const before = filesIn(move.from)
    expect(moveDue(move)).toBeUndefined()
    moving(move)
    expect(readIn(move.to, 'green-door')[0]).toBe('sold at green-door')
    expect(filesIn(move.from)).toEqual(before)
  })

  it('is not moved if it appears after a finished move, even if the local folder was lost', () => {
    const move = places()
    leaveData(move.from)
    moving(move)
    rmSync(move.to, { recursive: true })
    writeFileSync(join(move.from, 'station.json'), settingsOf('green-door'))
    expect(moveDue(move)).toBeUndefined()
    moving(move)
    expect(existsSync(move.to)).toBe(false)
  })

  it('does not overwrite files that an earlier version wrote there during an interrupted move', () => {
    const move = places()
    leaveData(move.from)
    let left = 4
    expect(() => {
      moving(move, {
        atStep() {
          if (left-- === 0) throw new Error('cut')
        },
      })
    }).toThrow()
    writeFileSync(join(move.from, 'station.json'), settingsOf('practice'))
    finishMove(move.to)
    expect(readFileSync(join(move.to, 'station.json'), 'utf8')).toBe(settingsOf('green-door'))
    expect(readFileSync(join(move.from, 'station.json'), 'utf8')).toBe(settingsOf('practice'))
  })
})

describe('a data folder without a station', () => {
  it.each<[string, (from: string) => void]>([
    ['that is empty', () => undefined],
    [
      'with files of the runtime only',
      (from) => {
        mkdirSync(join(from, 'Cache'))
        writeFileSync(join(from, 'Preferences'), '{}')
      },
    ],
    [
      'with a window position only',
      (from) => {
        writeFileSync(join(from, 'window-state.json'), '{}')
      },
    ],
  ])('%s is not moved', (_what, fill) => {
    const move = places()
    fill(move.from)
    const before = filesIn(move.from)
    moveData(move)
    expect([moveDue(move), filesIn(move.from), existsSync(move.to)]).toEqual([undefined, before, false])
  })

  it('can be missing', () => {
    expect(moveDue({ from: join(newFolder(), 'none'), to: join(newFolder(), 'none') })).toBeUndefined()
  })
})

describe('the data folder', () => {
  const environment = { APPDATA: '/users/maya/Roaming', LOCALAPPDATA: '/users/maya/Local' }
  const roaming = '/users/maya/Roaming/countertag'
  it.each<[string, string, NodeJS.Platform, NodeJS.ProcessEnv, string]>([
    ['is local on Windows', roaming, 'win32', environment, '/users/maya/Local/countertag'],
    ['stays on macOS', roaming, 'darwin', environment, roaming],
    ['stays on Linux', roaming, 'linux', environment, roaming],
    [
      'is local on Windows, ignoring case',
      '/Users/Maya/ROAMING/countertag',
      'win32',
      environment,
      '/users/maya/Local/countertag',
    ],
    [
      'is next to the roaming folder without LOCALAPPDATA',
      roaming,
      'win32',
      { APPDATA: environment.APPDATA },
      '/users/maya/Local/countertag',
    ],
    [
      'is next to the roaming folder if LOCALAPPDATA is empty',
      roaming,
      'win32',
      { ...environment, LOCALAPPDATA: '' },
      '/users/maya/Local/countertag',
    ],
    [
      'is next to the roaming folder if LOCALAPPDATA is relative',
      roaming,
      'win32',
      { ...environment, LOCALAPPDATA: 'a' },
      '/users/maya/Local/countertag',
    ],
    ['stays without APPDATA', roaming, 'win32', { LOCALAPPDATA: environment.LOCALAPPDATA }, roaming],
    ["stays if it isn't in the roaming folder", '/till/2', 'win32', environment, '/till/2'],
    [
      'stays if both folders are the same',
      roaming,
      'win32',
      { ...environment, LOCALAPPDATA: environment.APPDATA },
      roaming,
    ],
  ])('%s', (_what, folder, platform, env, expected) => {
    expect(localFolderFor(folder, { platform, environment: env })).toBe(expected)
  })
})
