import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { FuseV1Options } from '@electron/fuses'
import { root } from './root'

/** Number of fuses that @electron/fuses knows. */
export const fuseCount = Object.values(FuseV1Options).filter((each) => typeof each === 'number').length

/** The systems that Electron supports, as in `process.platform`. */
export type System = 'linux' | 'win32' | 'darwin'

/**
 * The marker that @electron/fuses looks for in a program, then version and number of fuses, then one character per
 * fuse.
 */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
const fuseWire = (fuses: number) =>
  Buffer.concat([Buffer.from(`stand-in ${sentinel}`), Buffer.from([1, fuses]), Buffer.from('0'.repeat(fuses))])

/** An archive without files: electron-builder reads its header. */
function emptyArchive(): Buffer {
  const header = '{"files":{}}'
  const numbers = Buffer.alloc(16)
  for (const [index, number] of [4, 8 + header.length, 4 + header.length, header.length].entries())
    numbers.writeUInt32LE(number, 4 * index)
  return Buffer.concat([numbers, Buffer.from(header)])
}

/** Writes a file under `folder`; its content is its own name by default. */
const write = (folder: string, name: string, data: string | Buffer = name) => {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), data)
}

const writeAll = (folder: string, names: string[]) => {
  for (const name of names) write(folder, name)
}

/** Files in Electron's archives for every system, besides the program. */
const everywhere = ['LICENSE', 'LICENSES.chromium.html']
const languages = ['de', 'en-US', 'es', 'es-419']
const besideProgram = [
  ...['chrome_100_percent.pak', 'chrome_200_percent.pak', 'resources.pak', 'icudtl.dat'],
  ...['snapshot_blob.bin', 'v8_context_snapshot.bin', 'vk_swiftshader_icd.json'],
  ...languages.map((name) => `locales/${name}.pak`),
]

/** A macOS program as a folder, with a property list. */
function macApp(folder: string, name: string): void {
  const list = `<plist version="1.0"><dict><key>CFBundleExecutable</key><string>${name}</string></dict></plist>`
  write(folder, `${name}.app/Contents/Info.plist`, `<?xml version="1.0" encoding="UTF-8"?>\n${list}\n`)
  write(folder, `${name}.app/Contents/MacOS/${name}`)
}

const makers: Record<System, (folder: string, fuses: number) => string> = {
  linux(folder, fuses) {
    const libraries = ['libEGL.so', 'libGLESv2.so', 'libffmpeg.so', 'libvk_swiftshader.so', 'libvulkan.so.1']
    writeAll(folder, [...besideProgram, ...libraries, 'chrome-sandbox', 'chrome_crashpad_handler'])
    write(folder, 'resources/default_app.asar', emptyArchive())
    write(folder, 'electron', fuseWire(fuses))
    return 'electron'
  },
  win32(folder, fuses) {
    const libraries = ['d3dcompiler_47', 'ffmpeg', 'libEGL', 'libGLESv2', 'vk_swiftshader', 'vulkan-1']
    writeAll(folder, [...besideProgram, ...libraries.map((name) => `${name}.dll`)])
    write(folder, 'resources/default_app.asar', emptyArchive())
    write(folder, 'electron.exe', fuseWire(fuses))
    return 'electron.exe'
  },
  darwin(folder, fuses) {
    const contents = join(folder, 'Electron.app/Contents')
    const frameworks = join(contents, 'Frameworks')
    const framework = join(frameworks, 'Electron Framework.framework')
    macApp(folder, 'Electron')
    for (const kind of ['', ' (GPU)', ' (Plugin)', ' (Renderer)']) macApp(frameworks, `Electron Helper${kind}`)
    writeAll(frameworks, ['Squirrel.framework/Squirrel', 'Mantle.framework/Mantle'])
    write(contents, 'Resources/default_app.asar', emptyArchive())
    write(contents, 'Resources/electron.icns')
    for (const name of ['de', 'en', 'es', 'es_419']) {
      mkdirSync(join(contents, `Resources/${name}.lproj`), { recursive: true })
      write(framework, `Versions/A/Resources/${name}.lproj/locale.pak`)
    }
    write(framework, 'Versions/A/Electron Framework', fuseWire(fuses))
    symlinkSync('A', join(framework, 'Versions/Current'))
    for (const name of ['Electron Framework', 'Resources'])
      symlinkSync(`Versions/Current/${name}`, join(framework, name))
    return 'Electron.app/Contents/MacOS/Electron'
  },
}

/**
 * A folder that stands in for Electron's runtime, with the parts of its archive layout for that system that packaging
 * reads: a program with fuses, all off, and the files that are copied along. Returns the program.
 */
export function standInRuntime(folder: string, { system = 'linux', fuses = fuseCount }: StandIn = {}): string {
  const electron: unknown = JSON.parse(readFileSync(join(root, 'node_modules/electron/package.json'), 'utf8'))
  const version = typeof electron === 'object' && electron !== null && 'version' in electron ? electron.version : ''
  mkdirSync(folder, { recursive: true })
  writeAll(folder, everywhere)
  write(folder, 'version', String(version))
  const program = join(folder, makers[system](folder, fuses))
  chmodSync(program, 0o755)
  return program
}

interface StandIn {
  system?: System
  fuses?: number
}
