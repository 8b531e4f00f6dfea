import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { extractFile, listPackage, statFile } from '@electron/asar'
import { getCurrentFuseWire, FuseState, FuseV1Options } from '@electron/fuses'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import config from '../../electron-builder.config'
import { debScripts } from '../../scripts/package/deb-scripts'
import { newFolder } from './countertag'
import { root } from './root'
import { standInRuntime } from './stand-in'

/** Electron's runtime can't be had everywhere: what surrounds it is packed around a stand-in. Linux only, as that is. */
const isPackable = process.platform === 'linux'
const folder = join(tmpdir(), `countertag-package-${process.pid}`)
const unpacked = join(folder, 'out', process.arch === 'x64' ? 'linux-unpacked' : `linux-${process.arch}-unpacked`)
const archive = join(unpacked, 'resources/app.asar')

const filesIn = (path: string) =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((each) => statSync(join(path, each)).isFile())

/** Size of each file of the archive, by its path; of unpacked ones as well. */
function packed(): Map<string, number> {
  const sizes = new Map<string, number>()
  for (const path of listPackage(archive, { isPack: false })) {
    const name = path.slice(1)
    const entry = statFile(archive, name)
    if ('size' in entry) sizes.set(name, entry.size)
  }
  return sizes
}

function electronBuilder(runtime: string, env: Record<string, string>, output: string) {
  const args = ['--linux', '--dir', '--config', 'electron-builder.config.ts', '--publish', 'never']
  return spawnSync(
    process.execPath,
    ['node_modules/electron-builder/cli.js', ...args, `-c.electronDist=${runtime}`, `-c.directories.output=${output}`],
    { cwd: root, encoding: 'utf8', env: { ...process.env, COUNTERTAG_UPDATES_URL: '', ...env } },
  )
}

describe.skipIf(!isPackable)('the package', () => {
  beforeAll(() => {
    if (!existsSync(join(root, 'out/main/electron.js'))) throw new Error('out/ is missing: run `npm run build` first')
    mkdirSync(folder, { recursive: true })
    standInRuntime(join(folder, 'runtime'))
    const { status, stderr, stdout } = electronBuilder(join(folder, 'runtime'), {}, join(folder, 'out'))
    if (status !== 0) throw new Error(`${stdout}${stderr}`)
  }, 60_000)
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
  })

  it('holds the app and its native modules, and nothing else', () => {
    const sizes = packed()
    const other = [...sizes.keys()].filter(
      (name) =>
        name !== 'package.json' &&
        name !== 'out/licences.txt' &&
        !/^out\/main\/(electron|chunks\/[\w-]+)\.js$/.test(name) &&
        name !== 'out/preload/preload.cjs' &&
        !/^out\/renderer\/(index\.html|assets\/[\w.-]+\.(js|css|svg))$/.test(name) &&
        !/^node_modules\/.*\/(package\.json|LICENSE[\w.-]*|[\w.-]+\.(js|node))$/.test(name),
    )
    expect(other).toEqual([])
    const modules = new Set(
      [...sizes.keys()].flatMap((name) => /^node_modules\/((@[\w-]+\/)?[\w-]+)/.exec(name)?.[1] ?? []),
    )
    expect([...modules].sort()).toEqual([
      `@napi-rs/keyring-linux-${process.arch}-gnu`,
      `@node-usb/usb-linux-${process.arch}-gnu`,
      'better-sqlite3',
      'keytar',
      'node-hid',
      'pkg-prebuilds',
      'usb',
    ])
    expect([...sizes.keys()].filter((name) => /gallery|main\/(browser|serve|chunks\/serve-)/.test(name))).toEqual([])

    const kinds = new Map<string, { files: number; kB: number }>()
    for (const [name, size] of sizes) {
      const kind = /^node_modules\/(@[\w-]+\/)?[\w-]+|^out\/\w+|^.*/.exec(name)?.[0] ?? name
      const { files, kB } = kinds.get(kind) ?? { files: 0, kB: 0 }
      kinds.set(kind, { files: files + 1, kB: kB + size / 1000 })
    }
    const rows = [...kinds].map(([kind, { files, kB }]) => `  ${kind}: ${files} files, ${kB.toFixed(1)} kB`)
    const resources = filesIn(join(unpacked, 'resources')).filter((name) => !name.startsWith('app.asar'))
    const beside = resources.reduce((sum, name) => sum + statSync(join(unpacked, 'resources', name)).size, 0)
    rows.push(`  beside the archive: ${resources.length} files, ${(beside / 1000).toFixed(1)} kB`)
    process.stdout.write(`In the package, without Electron:\n${rows.join('\n')}\n`)
    const all = [...sizes.values()].reduce((sum, size) => sum + size, 0)
    // 11.6 MB today: what makes it half as big again is something that does not belong there.
    expect(all).toBeLessThan(15_000_000)
  })

  it('has the native modules of this system outside the archive, one each, and no other file there', () => {
    const { arch } = process
    expect(filesIn(join(unpacked, 'resources/app.asar.unpacked')).sort()).toEqual([
      `node_modules/@napi-rs/keyring-linux-${arch}-gnu/keyring.linux-${arch}-gnu.node`,
      `node_modules/@node-usb/usb-linux-${arch}-gnu/usb.linux-${arch}-gnu.node`,
      `node_modules/better-sqlite3/prebuilds/linux-${arch}.node`,
      `node_modules/node-hid/prebuilds/HID_hidraw-linux-${arch}/node-napi-v4.node`,
    ])
  })

  it('brings the files that are read from outside: icon, practice store and its pictures, udev rule', () => {
    const resources = filesIn(join(unpacked, 'resources')).filter((name) => !name.startsWith('app.asar'))
    const pictures = filesIn(join(root, 'resources/practice/pictures')).map((name) => `practice/pictures/${name}`)
    expect(pictures.length).toBeGreaterThan(5)
    expect(resources.sort()).toEqual(
      ['icons/countertag.png', 'linux/70-countertag-scanners.rules', 'practice/store.json', ...pictures].sort(),
    )
  })

  it('loads every native package from what was packed', () => {
    // As Electron does: the archive and what was taken out of it are one tree.
    const tree = join(folder, 'tree')
    for (const name of packed().keys()) {
      const there = join(unpacked, 'resources/app.asar.unpacked', name)
      mkdirSync(join(tree, name, '..'), { recursive: true })
      writeFileSync(join(tree, name), existsSync(there) ? readFileSync(there) : extractFile(archive, name))
    }
    const load = `const Sqlite = require('better-sqlite3'); const { usb } = require('usb'); const { AsyncEntry } = require('keytar')
      require('node-hid'); console.log(new Sqlite(':memory:').prepare('SELECT 6 * 7').pluck().get(), typeof usb, typeof AsyncEntry)`
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', load], { cwd: tree, encoding: 'utf8' })
    expect([stdout.trim(), stderr]).toEqual(['42 object function', ''])
  })

  it('has its fuses set in the program', async () => {
    const wire = await getCurrentFuseWire(join(unpacked, 'countertag'))
    expect(wire[FuseV1Options.RunAsNode]).toBe(FuseState.DISABLE)
    expect(wire[FuseV1Options.OnlyLoadAppFromAsar]).toBe(FuseState.ENABLE)
  })

  it('keeps only the languages of the app', () => {
    expect(readdirSync(join(unpacked, 'locales')).sort()).toEqual(['en-US.pak', 'es-419.pak', 'es.pak'])
  })

  it('knows of no updates unless it was built with their address', () => {
    expect(JSON.parse(extractFile(archive, 'package.json').toString())).not.toHaveProperty('updates')
    expect(existsSync(join(unpacked, 'resources/app-update.yml'))).toBe(false)
  })

  it('knows the key of updates when it was, and holds nothing of the machine it was built on', () => {
    const output = join(folder, 'with-updates')
    const env = { COUNTERTAG_UPDATES_URL: 'https://updates.example/', COUNTERTAG_UPDATES_PUBLIC_KEY: 'a2V5' }
    expect(electronBuilder(join(folder, 'runtime'), env, output).status).toBe(0)
    const inside = join(output, unpacked.split('/').at(-1) ?? '', 'resources/app.asar')
    const metadata: unknown = JSON.parse(extractFile(inside, 'package.json').toString())
    expect(metadata).toMatchObject({ updates: { publicKey: 'a2V5' }, main: 'out/main/electron.js' })
    expect(metadata).not.toHaveProperty('scripts')
    expect(readFileSync(inside, 'latin1')).not.toContain(root)
  }, 60_000)
})

describe.skipIf(process.platform === 'win32')('npm run package', () => {
  const pack = (args: string[], env: Record<string, string>) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/package.mjs', ...args], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, COUNTERTAG_UPDATES_URL: '', ...env },
    })
    return { status, said: `${stdout}${stderr}`.trim() }
  }

  it.each([
    [
      'there is no runtime',
      [],
      { ELECTRON_OVERRIDE_DIST_PATH: '/nowhere' },
      /runtime could not be downloaded \(.*\/nowhere\)/,
    ],
    ['another system is asked for', ['--win'], {}, /--win is not possible/],
    ['it is asked to upload', ['--publish=always'], {}, /--publish=always is not possible/],
    ['updates have no key', [], { COUNTERTAG_UPDATES_URL: 'https://updates.example/' }, /PUBLIC_KEY and .*PRIVATE_KEY/],
  ])('says so in one sentence and ends with 1 when %s', (_what, args, env, sentence) => {
    const { status, said } = pack(['--dir', ...args], env)
    expect(status).toBe(1)
    expect(said).toMatch(sentence)
    expect(said).toMatch(/^Countertag cannot be packaged here: [^\n]+\.$/)
  })
})

describe.skipIf(process.platform === 'win32')('the scripts of the .deb', () => {
  const rule = '70-countertag-scanners.rules'

  /** Runs one as root would, with / being a folder, and every tool that touches the system noting that it was called. */
  function run(file: string, rootFolder: string, argument: string): string[] {
    const tools = join(rootFolder, 'tools')
    mkdirSync(tools, { recursive: true })
    const calls = join(rootFolder, 'calls')
    writeFileSync(calls, '')
    for (const tool of [
      'udevadm',
      'update-alternatives',
      'update-mime-database',
      'update-desktop-database',
      'unshare',
      'apparmor_status',
      'apparmor_parser',
    ]) {
      writeFileSync(join(tools, tool), `#!/bin/sh\necho ${tool} "$@" >> '${calls}'\n`, { mode: 0o755 })
    }
    const script = readFileSync(file, 'utf8')
      .replaceAll(/\$\{(executable|sanitizedProductName)\}/g, (_all, name) =>
        name === 'executable' ? 'countertag' : 'Countertag',
      )
      .replaceAll(/(?<=['" ])\/(opt|usr\/lib|usr\/share|usr\/bin|etc)\//g, `${rootFolder}/$1/`)
    const { status, stderr } = spawnSync('bash', ['-c', script, 'script', argument], {
      encoding: 'utf8',
      env: { ...process.env, PATH: `${tools}:${process.env.PATH ?? ''}` },
    })
    expect([status, stderr]).toEqual([0, ''])
    return readFileSync(calls, 'utf8').trim().split('\n')
  }

  it('put the udev rule where a package puts it, tell udev, and take it away with the package only', () => {
    const folder = newFolder()
    const { afterInstall, afterRemove } = debScripts(join(folder, 'scripts'), rule)
    const rootFolder = join(folder, 'root')
    mkdirSync(join(rootFolder, 'opt/Countertag/resources/linux'), { recursive: true })
    mkdirSync(join(rootFolder, 'etc/apparmor.d'), { recursive: true })
    writeFileSync(join(rootFolder, 'opt/Countertag/chrome-sandbox'), '')
    writeFileSync(join(rootFolder, 'opt/Countertag/resources/apparmor-profile'), '')
    const source = readFileSync(join(root, 'resources/linux', rule))
    writeFileSync(join(rootFolder, 'opt/Countertag/resources/linux', rule), source)
    const installed = join(rootFolder, 'usr/lib/udev/rules.d', rule)

    const installing = run(afterInstall, rootFolder, 'configure')
    expect(readFileSync(installed).equals(source)).toBe(true)
    expect(statSync(installed).mode & 0o777).toBe(0o644)
    expect(installing.filter((call) => call.startsWith('udevadm'))).toEqual([
      'udevadm control --reload',
      'udevadm trigger --subsystem-match=hidraw',
    ])

    run(afterRemove, rootFolder, 'upgrade')
    expect(existsSync(installed)).toBe(true)
    const removing = run(afterRemove, rootFolder, 'remove')
    expect(existsSync(installed)).toBe(false)
    expect(removing).toContain('udevadm control --reload')
  })

  it('name the place that the screen and the log name', () => {
    const { afterInstall } = debScripts(join(newFolder(), 'scripts'), rule)
    expect(readFileSync(afterInstall, 'utf8')).toContain('/usr/lib/udev/rules.d')
    for (const file of [
      'src-renderer/messages/en/scanners.ts',
      'src-renderer/messages/es/scanners.ts',
      'src-main/scanner/problems.ts',
    ]) {
      const text = readFileSync(join(root, file), 'utf8')
      expect([
        file,
        text.includes(`/usr/lib/udev/rules.d/${rule}`),
        text.includes(`/etc/udev/rules.d/${rule}`),
      ]).toEqual([file, true, true])
    }
  })
})

describe('what is asked of each system', () => {
  it('is libusb of a .deb, beside what Electron needs', () => {
    expect(config.deb?.depends).toEqual(expect.arrayContaining(['libusb-1.0-0', 'libgtk-3-0', 'libnss3']))
  })

  it('is the hardened runtime of macOS, with three entitlements and no more', () => {
    expect(config.mac).toMatchObject({ hardenedRuntime: true, entitlements: 'resources/macos/entitlements.plist' })
    const given = (name: string) =>
      [
        ...readFileSync(join(root, 'resources/macos', name), 'utf8').matchAll(
          /<key>com\.apple\.security\.(.*)<\/key>/g,
        ),
      ].map(([, key]) => key)
    expect(given('entitlements.plist')).toEqual(['cs.allow-jit', 'cs.allow-unsigned-executable-memory', 'device.usb'])
    expect(given('entitlements-inherit.plist')).toEqual(['cs.allow-jit', 'cs.allow-unsigned-executable-memory'])
  })

  it('is nothing of the person’s data when Windows removes the app', () => {
    expect(config.nsis).toMatchObject({ deleteAppDataOnUninstall: false })
  })
})

describe('the icons', () => {
  const read = (name: string) => readFileSync(join(root, 'resources/icons', name))

  it('are of every size that Linux looks for', () => {
    const sizes = [16, 24, 32, 48, 64, 128, 256, 512]
    expect(readdirSync(join(root, 'resources/icons/png')).sort()).toEqual(
      sizes.map((size) => `${size}x${size}.png`).sort(),
    )
    for (const size of sizes) {
      const png = read(`png/${size}x${size}.png`)
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([size, size])
    }
  })

  it('hold together: every image of .ico and .icns lies inside the file', () => {
    const ico = read('countertag.ico')
    const entries = Array.from({ length: ico.readUInt16LE(4) }, (_, index) => 6 + 16 * index)
    expect(entries.map((at) => ico.readUInt8(at))).toEqual([16, 24, 32, 48, 64, 128, 0])
    const ends = entries.map((at) => ico.readUInt32LE(at + 12) + ico.readUInt32LE(at + 8))
    expect(ends.at(-1)).toBe(ico.length)

    const icns = read('countertag.icns')
    expect(icns.readUInt32BE(4)).toBe(icns.length)
    const names: string[] = []
    for (let at = 8; at < icns.length; at += icns.readUInt32BE(at + 4)) names.push(icns.toString('latin1', at, at + 4))
    expect(names).toEqual(['icp4', 'icp5', 'ic11', 'ic12', 'ic07', 'ic08', 'ic13', 'ic09', 'ic14', 'ic10'])
  })
})
