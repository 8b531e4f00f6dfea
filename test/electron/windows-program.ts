import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from './root'

/** What electron-builder writes versions and icons into a program of Windows with. */
const builder = createRequire(createRequire(join(root, 'package.json')).resolve('electron-builder'))
const libraries = createRequire(builder.resolve('app-builder-lib/package.json'))

/** A program of Windows, empty but for what says its version, with that behind it. */
export function windowsProgram(behind: Buffer): Buffer {
  const { NtExecutable, NtExecutableResource, Resource }: typeof import('resedit') = libraries('resedit')
  const program = NtExecutable.createEmpty(false, false)
  const resources = NtExecutableResource.from(program)
  const version = Resource.VersionInfo.createEmpty()
  version.setStringValues({ lang: 0x409, codepage: 1200 }, { ProductName: 'Electron' })
  version.outputToResourceEntries(resources.entries)
  resources.outputResource(program)
  program.setExtraData(behind)
  return Buffer.from(program.generate())
}
