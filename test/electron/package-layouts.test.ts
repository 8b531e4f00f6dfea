import { existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCurrentFuseWire, FuseState, FuseV1Options } from '@electron/fuses'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { archivedFile, filesInPackage } from '../../scripts/package/file-list'
import { type StandInPackage, packStandIn } from './pack-stand-in'
import { root } from './root'
import type { System } from './stand-in'

/** Layouts of other systems, only where the stand-ins for their tools run. The Linux layout is in package.test.ts. */
const isPackable = process.platform === 'linux'

const updates = { COUNTERTAG_UPDATES_URL: 'https://updates.example/', COUNTERTAG_UPDATES_PUBLIC_KEY: 'a2V5' }
const rest = 'Contents/Frameworks/Electron Framework.framework/Versions/A'
const helpers = ['', ' (GPU)', ' (Plugin)', ' (Renderer)'].flatMap((kind) => [
  `Contents/Frameworks/Countertag Helper${kind}.app/Contents/Info.plist`,
  `Contents/Frameworks/Countertag Helper${kind}.app/Contents/MacOS/Countertag Helper${kind}`,
])

interface Layout {
  system: System
  env: Record<string, string>
  /** Everything outside `resources`. */
  outside: string[]
  /** In `resources`, besides `app.asar` and the files that every system has there. */
  resources: string[]
}

const layouts: Layout[] = [
  {
    system: 'win32',
    env: updates,
    outside: [
      'Countertag.exe',
      'LICENSE.electron.txt',
      'LICENSES.chromium.html',
      'chrome_100_percent.pak',
      'chrome_200_percent.pak',
      'd3dcompiler_47.dll',
      'ffmpeg.dll',
      'icudtl.dat',
      'libEGL.dll',
      'libGLESv2.dll',
      'locales/en-US.pak',
      'locales/es-419.pak',
      'locales/es.pak',
      'resources.pak',
      'snapshot_blob.bin',
      'v8_context_snapshot.bin',
      'vk_swiftshader.dll',
      'vk_swiftshader_icd.json',
      'vulkan-1.dll',
    ],
    resources: [],
  },
  {
    system: 'darwin',
    env: {},
    outside: [
      ...helpers,
      `${rest}/Electron Framework`,
      `${rest}/Resources/en.lproj/locale.pak`,
      `${rest}/Resources/es.lproj/locale.pak`,
      `${rest}/Resources/es_419.lproj/locale.pak`,
      'Contents/Frameworks/Mantle.framework/Mantle',
      'Contents/Frameworks/Squirrel.framework/Squirrel',
      'Contents/Info.plist',
      'Contents/MacOS/Countertag',
    ],
    resources: ['LICENSE.electron.txt', 'LICENSES.chromium.html', 'electron.icns', 'icon.icns'],
  },
]

describe.skipIf(!isPackable).each(layouts)('the package for $system', (layout) => {
  const folder = join(tmpdir(), `countertag-layout-${layout.system}-${process.pid}`)
  let packed: StandInPackage
  const names = () => filesInPackage(packed.app).map(({ name }) => name)
  /** The names below `resources`, relative to it. */
  const inResources = () => {
    const start = packed.resources.slice(packed.app.length + 1)
    return names().flatMap((name) => (name.startsWith(`${start}/`) ? [name.slice(start.length + 1)] : []))
  }

  beforeAll(() => {
    packed = packStandIn(layout.system, folder, layout.env)
  }, 60_000)
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
  })

  it('holds the runtime with its licenses, but without its default app', () => {
    const start = packed.resources.slice(packed.app.length + 1)
    const outside = names().filter((name) => !name.startsWith(`${start}/`))
    expect(outside.sort()).toEqual([...layout.outside].sort())
    const licences = names().filter((name) => /LICENSES?\.\w+\.(txt|html)$/.test(name))
    expect(licences.map((name) => readFileSync(join(packed.app, name), 'utf8'))).toEqual([
      'LICENSE',
      'LICENSES.chromium.html',
    ])
  })

  it('holds the files that are read from outside the archive, and no other archive', () => {
    const resources = inResources().filter((name) => !name.startsWith('app.asar/') && !name.includes('.unpacked/'))
    const ours = filesInPackage(join(root, 'resources/practice')).map(({ name }) => `practice/${name}`)
    expect(resources).toEqual(
      [
        'app.asar',
        'connections/presets.json',
        'icons/countertag.png',
        ...ours.filter((name) => name !== 'practice/data.schema.json'),
        ...layout.resources,
      ].sort(),
    )
  })

  it('has native modules outside the archive, and nothing else there', () => {
    // These are the machine's own: electron-builder and npm choose them by the system they run on, and `npm run
    // package` packs for no other system.
    const native = filesInPackage(join(packed.resources, 'app.asar.unpacked')).map(({ name }) => name)
    expect(native.length).toBeGreaterThan(3)
    expect(native.filter((name) => !name.endsWith('.node'))).toEqual([])
  })

  it('lets the program check app.asar, and has its fuses set', async () => {
    const says = readFileSync(
      layout.system === 'darwin' ? join(packed.app, 'Contents/Info.plist') : packed.program,
      'latin1',
    )
    expect(says).toMatch(/(resources\\\\|Resources\/)app\.asar\b/)
    expect(says).not.toContain('default_app.asar')
    const wire = await getCurrentFuseWire(packed.program)
    expect(wire[FuseV1Options.OnlyLoadAppFromAsar]).toBe(FuseState.ENABLE)
    expect(wire[FuseV1Options.RunAsNode]).toBe(FuseState.DISABLE)
  })

  it('says why it wants the camera, in both languages, where the system shows it', () => {
    const says = layout.system === 'darwin' ? readFileSync(join(packed.app, 'Contents/Info.plist'), 'utf8') : ''
    const why = /<key>NSCameraUsageDescription<\/key>\s*<string>Countertag takes photos .* toma fotos .*<\/string>/
    expect(says).toMatch(layout.system === 'darwin' ? why : /^$/)
  })

  it('is re-signed after the fuses were set, on systems that start no unsigned program', () => {
    const calls = existsSync(packed.codesign) ? readFileSync(packed.codesign, 'utf8') : ''
    expect(calls.trim().split('\n').at(-1)).toMatch(layout.system === 'darwin' ? /^--sign - .*Countertag\.app$/ : /^$/)
  })

  it('contains the address and the key of updates if it was built with them, and nothing about the build machine', () => {
    const archive = join(packed.resources, 'app.asar')
    const metadata: unknown = JSON.parse(archivedFile(archive, 'package.json').toString())
    expect(metadata).toMatchObject({ main: 'out/main/electron.js' })
    expect(metadata).not.toHaveProperty('scripts')
    expect(readFileSync(archive, 'latin1')).not.toContain(root)
    if (layout.env === updates) expect(metadata).toMatchObject({ updates: { publicKey: 'a2V5' } })
    else expect(metadata).not.toHaveProperty('updates')
  })
})

/** The systems that the workflow packs for; `npm run package` on another system finds these missing. */
const packedFor: [platform: string, arch: string, abi: string][] = [
  ['linux', 'x64', '-gnu'],
  ['win32', 'x64', '-msvc'],
  ['win32', 'arm64', '-msvc'],
  ['darwin', 'x64', ''],
  ['darwin', 'arm64', ''],
]

describe('native modules', () => {
  it.each(packedFor)('exist for %s %s', (platform, one, abi) => {
    const hid = platform === 'linux' ? 'HID_hidraw' : 'HID'
    for (const file of [
      `better-sqlite3/prebuilds/${platform}-${one}.node`,
      `node-hid/prebuilds/${hid}-${platform}-${one}/node-napi-v4.node`,
    ]) {
      expect([file, existsSync(join(root, 'node_modules', file))]).toEqual([file, true])
    }
    // These packages exist once per system: npm installs the one that the lock file names for its own system.
    const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
    for (const name of ['@napi-rs/keyring', '@node-usb/usb'])
      expect(lock).toContain(`"node_modules/${name}-${platform}-${one}${abi}": {`)
  })
})
