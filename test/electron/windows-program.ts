import { createRequire } from 'node:module'
import { join } from 'node:path'
import type * as resedit from 'resedit'
import { z } from 'zod'
import { root } from './root'

/** The library that electron-builder itself uses to write versions and icons into a Windows program. */
const builder = createRequire(createRequire(join(root, 'package.json')).resolve('electron-builder'))
const require = createRequire(builder.resolve('app-builder-lib/package.json'))
const { NtExecutable, NtExecutableResource, Resource } = z.custom<typeof resedit>().parse(require('resedit'))

/** A Windows program, empty except for the version resource, followed by `behind`. */
export function windowsProgram(behind: Buffer): Buffer {
  const program = NtExecutable.createEmpty(false, false)
  const resources = NtExecutableResource.from(program)
  const version = Resource.VersionInfo.createEmpty()
  version.setStringValues({ lang: 0x409, codepage: 1200 }, { ProductName: 'Electron' })
  version.outputToResourceEntries(resources.entries)
  resources.outputResource(program)
  program.setExtraData(behind)
  return Buffer.from(program.generate())
}
