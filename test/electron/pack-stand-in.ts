import '../../scripts/require-node.mjs'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { printPackage } from '../../scripts/package/file-list'
import { root } from './root'
import { type System, standInRuntime } from './stand-in'
import { windowsProgram } from './windows-program'

/**
 * The app packed around a stand-in for the runtime, by electron-builder with our configuration. All three layouts can
 * be made on Linux. Native packages with one build per system (keytar, usb) are the host machine's in every layout,
 * which is why `npm run package` refuses to pack for another system.
 */
export interface StandInPackage {
  /** The installed app: its folder; on macOS `Countertag.app`. */
  app: string
  /** The folder with `app.asar`. */
  resources: string
  /** The file that carries the fuses. */
  program: string
  /** The arguments of each call to Apple's codesign, which is a stand-in as well. */
  codesign: string
}

const flag: Record<System, string> = { linux: '--linux', win32: '--win', darwin: '--mac' }

/** The resources folder, relative to the app's folder. */
const inside: Record<System, Pick<StandInPackage, 'resources' | 'program'>> = {
  linux: { resources: 'resources', program: 'countertag' },
  win32: { resources: 'resources', program: 'Countertag.exe' },
  darwin: {
    resources: 'Contents/Resources',
    program: 'Contents/Frameworks/Electron Framework.framework/Versions/A/Electron Framework',
  },
}

/** Packs into `folder`, which is created; throws electron-builder's output on failure. */
export function packStandIn(system: System, folder: string, env: Record<string, string> = {}): StandInPackage {
  if (!existsSync(join(root, 'out/main/electron.js'))) throw new Error('out/ is missing: run `npm run build` first')
  const [runtime, output, tools] = [join(folder, 'runtime'), join(folder, 'out'), join(folder, 'tools')]
  mkdirSync(tools, { recursive: true })
  const codesign = join(folder, 'codesign-calls')
  writeFileSync(join(tools, 'codesign'), `#!/bin/sh\necho "$@" >> '${codesign}'\n`, { mode: 0o755 })
  const electron = standInRuntime(runtime, { system })
  if (system === 'win32') writeFileSync(electron, windowsProgram(readFileSync(electron)))
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      ...['scripts/package/node_modules/electron-builder/cli.js', flag[system], '--dir', `--${process.arch}`],
      ...['--config', 'electron-builder.config.ts', '--publish', 'never'],
      ...[`-c.electronDist=${runtime}`, `-c.directories.output=${output}`],
    ],
    {
      cwd: root,
      encoding: 'utf8',
      env: {
        ...process.env,
        COUNTERTAG_UPDATES_URL: '',
        PATH: `${tools}${delimiter}${process.env.PATH ?? ''}`,
        ...env,
      },
    },
  )
  if (status !== 0) throw new Error(`${stdout}${stderr}`)
  const made = readdirSync(output).find((name) => /-unpacked$|^mac/.test(name)) ?? ''
  const app = join(output, made, system === 'darwin' ? 'Countertag.app' : '')
  const { resources, program } = inside[system]
  return { app, resources: join(app, resources), program: join(app, program), codesign }
}

// Packs all three layouts and prints their files.
if (process.argv[1]?.endsWith('pack-stand-in.ts')) {
  const folder = mkdtempSync(join(tmpdir(), 'countertag-layouts-'))
  for (const system of ['linux', 'win32', 'darwin'] as const) {
    const { app } = packStandIn(system, join(folder, system))
    printPackage(`The app for ${system}, around a stand-in for Electron's runtime`, app)
  }
  rmSync(folder, { recursive: true })
}
