import { createRequire } from 'node:module'
import { join } from 'node:path'
import { z } from 'zod'
import { root } from './root'

/** What we use of resedit. Typed here, because only `npm run test:package` and packaging install it. */
interface Program {
  setExtraData(data: Buffer): void
  generate(): ArrayBuffer
}
interface Resources {
  entries: object[]
  outputResource(program: Program): void
}
interface Version {
  setStringValues(language: { lang: number; codepage: number }, values: Record<string, string>): void
  outputToResourceEntries(entries: object[]): void
}
interface Resedit {
  NtExecutable: { createEmpty(is32Bit: boolean, isDLL: boolean): Program }
  NtExecutableResource: { from(program: Program): Resources }
  Resource: { VersionInfo: { createEmpty(): Version } }
}

/** The library that electron-builder itself uses to write versions and icons into a Windows program. */
const builder = createRequire(createRequire(join(root, 'scripts/package/package.json')).resolve('electron-builder'))
const require = createRequire(builder.resolve('app-builder-lib/package.json'))
const { NtExecutable, NtExecutableResource, Resource } = z.custom<Resedit>().parse(require('resedit'))

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
