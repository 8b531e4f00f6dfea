import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { AfterPackContext } from 'electron-builder'

/** Electron's licence and those of what it is made of, with their names in a package. They have to go with it. */
const licences = [
  ['LICENSE', 'LICENSE.electron.txt'],
  ['LICENSES.chromium.html', 'LICENSES.chromium.html'],
] as const

/**
 * Makes of the runtime's files what is shipped. electron-builder does so itself with a runtime that it downloaded, and
 * leaves one that it was given as a folder, as ours, as it is. Before the archives are hashed, and before anything is signed.
 */
export function cleanRuntime({ appOutDir, electronPlatformName, packager }: AfterPackContext): void {
  const isMac = electronPlatformName === 'darwin'
  const resources = join(appOutDir, isMac ? 'Electron.app/Contents/Resources' : 'resources')
  // The app of a runtime without an app, and the file that names the runtime's version to its installer.
  rmSync(join(resources, 'default_app.asar'), { force: true })
  rmSync(join(appOutDir, 'version'), { force: true })

  const licencesFolder = isMac ? resources : appOutDir
  const { electronDist } = packager.config
  for (const [name, shipped] of licences) {
    // On macOS they lie beside Electron.app, and nothing but the app is taken.
    if (isMac && typeof electronDist === 'string') copyFileSync(join(electronDist, name), join(licencesFolder, shipped))
    if (!existsSync(join(licencesFolder, shipped))) throw new Error(`Electron's runtime comes without its ${name}`)
  }
}
