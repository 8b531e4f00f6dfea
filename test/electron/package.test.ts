import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCurrentFuseWire, FuseState, FuseV1Options } from '@electron/fuses'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import config from '../../electron-builder.config'
import { debScripts } from '../../scripts/package/deb-scripts'
import { archivedFile, filesInArchive, filesInPackage } from '../../scripts/package/file-list'
import { newFolder } from './countertag'
import { packStandIn } from './pack-stand-in'
import { root } from './root'

/**
 * Electron's runtime isn't available everywhere, so the rest is packed around a stand-in. This is the Linux layout; the
 * Windows and macOS layouts are in package-layouts.test.ts.
 */
const isPackable = process.platform === 'linux'
const folder = join(tmpdir(), `countertag-package-${process.pid}`)
let unpacked = ''
let archive = ''

const filesIn = (path: string) => filesInPackage(path).map(({ name }) => name)

/** Size of each file by path, including unpacked files. */
const packed = () => new Map(filesInArchive(archive).map(({ name, size }) => [name, size]))

describe.skipIf(!isPackable)('the package', () => {
  beforeAll(() => {
    const { app, resources } = packStandIn('linux', folder)
    unpacked = app
    archive = join(resources, 'app.asar')
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
    // 11.6 MB today. A package half as large again contains something that does not belong there.
    expect(all).toBeLessThan(15_000_000)
  })

  it('has one copy of each native module, for this system, outside the archive, and no other file there', () => {
    const { arch } = process
    expect(filesIn(join(unpacked, 'resources/app.asar.unpacked')).sort()).toEqual([
      `node_modules/@napi-rs/keyring-linux-${arch}-gnu/keyring.linux-${arch}-gnu.node`,
      `node_modules/@node-usb/usb-linux-${arch}-gnu/usb.linux-${arch}-gnu.node`,
      `node_modules/better-sqlite3/prebuilds/linux-${arch}.node`,
      `node_modules/node-hid/prebuilds/HID_hidraw-linux-${arch}/node-napi-v4.node`,
    ])
  })

  it('includes the files that are read from outside: icon, presets of connections, practice store and its pictures, udev rule', () => {
    const resources = filesIn(join(unpacked, 'resources')).filter((name) => !name.startsWith('app.asar'))
    const pictures = filesIn(join(root, 'resources/practice/pictures')).map((name) => `practice/pictures/${name}`)
    expect(pictures.length).toBeGreaterThan(5)
    expect(resources.sort()).toEqual(
      [
        'connections/presets.json',
        'icons/countertag.png',
        'linux/70-countertag-scanners.rules',
        'practice/store.json',
        ...pictures,
      ].sort(),
    )
  })

  it('loads every native package from the packed files', () => {
    // As Electron does: the archive and its unpacked files form one tree.
    const tree = join(folder, 'tree')
    for (const name of packed().keys()) {
      const there = join(unpacked, 'resources/app.asar.unpacked', name)
      mkdirSync(join(tree, name, '..'), { recursive: true })
      writeFileSync(join(tree, name), existsSync(there) ? readFileSync(there) : archivedFile(archive, name))
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

  it('holds the runtime with its licenses and the languages of the app, but without its default app', () => {
    expect(filesIn(unpacked).filter((name) => !name.startsWith('resources/'))).toEqual([
      'LICENSE.electron.txt',
      'LICENSES.chromium.html',
      'chrome-sandbox',
      'chrome_100_percent.pak',
      'chrome_200_percent.pak',
      'chrome_crashpad_handler',
      'countertag',
      'icudtl.dat',
      'libEGL.so',
      'libGLESv2.so',
      'libffmpeg.so',
      'libvk_swiftshader.so',
      'libvulkan.so.1',
      'locales/en-US.pak',
      'locales/es-419.pak',
      'locales/es.pak',
      'resources.pak',
      'snapshot_blob.bin',
      'v8_context_snapshot.bin',
      'vk_swiftshader_icd.json',
    ])
    expect(filesIn(unpacked).filter((name) => name.endsWith('.asar'))).toEqual(['resources/app.asar'])
  })

  it('declares the C and C++ libraries that its native modules were linked with', () => {
    const outside = join(unpacked, 'resources/app.asar.unpacked')
    const texts = filesIn(outside).map((name) => readFileSync(join(outside, name), 'latin1'))
    const newest = (library: string) =>
      texts
        .flatMap((text) => [...text.matchAll(new RegExp(`\\b${library}_([\\d.]+)\\0`, 'g'))])
        .map(([, version = '']) => version)
        .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
        .at(-1)
    // Symbol versions of libstdc++ differ from its package version: 3.4.29 came with GCC 11.
    expect(newest('GLIBCXX')).toBe('3.4.29')
    expect(config.deb.depends).toEqual(
      expect.arrayContaining([`libc6 (>= ${newest('GLIBC') ?? ''})`, 'libstdc++6 (>= 11)']),
    )
  })

  it('has no updates unless it was built with their address', () => {
    expect(JSON.parse(archivedFile(archive, 'package.json').toString())).not.toHaveProperty('updates')
    expect(existsSync(join(unpacked, 'resources/app-update.yml'))).toBe(false)
  })
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

  /**
   * Runs a script the way root would, with a folder as / and every system tool replaced by one that records its call.
   */
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

  it('install the udev rule where packages do, notify udev, and remove the rule only with the package', () => {
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

  it('use the path that the screen and the log show', () => {
    const { afterInstall } = debScripts(join(newFolder(), 'scripts'), rule)
    expect(readFileSync(afterInstall, 'utf8')).toContain('/usr/lib/udev/rules.d')
    for (const file of [
      'src-renderer/text/en/scanners.ts',
      'src-renderer/text/es/scanners.ts',
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

describe('the requirements of each system', () => {
  it('of a .deb are libusb and what Electron needs', () => {
    expect(config.deb.depends).toEqual(expect.arrayContaining(['libusb-1.0-0', 'libgtk-3-0', 'libnss3']))
  })

  it('on macOS are the hardened runtime with four entitlements and no more', () => {
    expect(config.mac).toMatchObject({ hardenedRuntime: true, entitlements: 'resources/macos/entitlements.plist' })
    const given = (name: string) =>
      [
        ...readFileSync(join(root, 'resources/macos', name), 'utf8').matchAll(
          /<key>com\.apple\.security\.(.*)<\/key>/g,
        ),
      ].map(([, key]) => key)
    expect(given('entitlements.plist')).toEqual([
      ...['cs.allow-jit', 'cs.allow-unsigned-executable-memory', 'device.usb', 'device.camera'],
    ])
    expect(given('entitlements-inherit.plist')).toEqual([
      ...['cs.allow-jit', 'cs.allow-unsigned-executable-memory', 'device.camera'],
    ])
  })

  it("leave the person's data in place when Windows removes the app", () => {
    expect(config.nsis).toMatchObject({ deleteAppDataOnUninstall: false })
  })

  it('on Windows are an installation for all users: by NSIS, and by an .msi that asks and starts nothing', () => {
    expect(config.nsis).toMatchObject({ perMachine: true })
    expect(config.msi).toEqual({ perMachine: true, runAfterFinish: false })
  })

  it('exclude an .msi on ARM and where updates are enabled, which NSIS installs', async () => {
    const targets = async (url: string, arch: string) => {
      vi.resetModules()
      vi.stubEnv('COUNTERTAG_UPDATES_URL', url)
      const real = Object.getOwnPropertyDescriptor(process, 'arch') ?? {}
      Object.defineProperty(process, 'arch', { ...real, value: arch })
      onTestFinished(() => void Object.defineProperty(process, 'arch', real))
      return (await import('../../electron-builder.config')).default.win.target
    }
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await targets('', 'x64')).toEqual(['nsis', 'msi'])
    expect(await targets('https://updates.example/', 'x64')).toEqual(['nsis'])
    expect(await targets('', 'arm64')).toEqual(['nsis'])
  })
})

describe('the icons', () => {
  const read = (name: string) => readFileSync(join(root, 'resources/icons', name))

  it('include every size that Linux looks for', () => {
    const sizes = [16, 24, 32, 48, 64, 128, 256, 512]
    expect(readdirSync(join(root, 'resources/icons/png')).sort()).toEqual(
      sizes.map((size) => `${size}x${size}.png`).sort(),
    )
    for (const size of sizes) {
      const png = read(`png/${size}x${size}.png`)
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([size, size])
    }
  })

  it('are complete: every image of .ico and .icns lies inside the file', () => {
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
