import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { AfterPackContext } from 'electron-builder'

/** The licenses of Electron and its components, with their names in a package. Each package must include them. */
const licences = [
  ['LICENSE', 'LICENSE.electron.txt'],
  ['LICENSES.chromium.html', 'LICENSES.chromium.html'],
] as const

/**
 * Reduces the runtime's files to those that are shipped. electron-builder does this only for a runtime that it
 * downloaded, not for a runtime folder like ours. Runs before the archives are hashed and before anything is signed.
 */
export function cleanRuntime({ appOutDir, electronPlatformName, packager }: AfterPackContext): void {
  const isMac = electronPlatformName === 'darwin'
  const resources = join(appOutDir, isMac ? 'Electron.app/Contents/Resources' : 'resources')
  // The runtime's default app, and the file that tells its installer the runtime's version.
  rmSync(join(resources, 'default_app.asar'), { force: true })
  rmSync(join(appOutDir, 'version'), { force: true })

  const licencesFolder = isMac ? resources : appOutDir
  const { electronDist } = packager.config
  for (const [name, shipped] of licences) {
    // On macOS these files are beside Electron.app, and only the app is copied.
    if (isMac && typeof electronDist === 'string') copyFileSync(join(electronDist, name), join(licencesFolder, shipped))
    if (!existsSync(join(licencesFolder, shipped))) throw new Error(`Electron's runtime comes without its ${name}`)
  }
}
