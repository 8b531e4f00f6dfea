import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FuseV1Options } from '@electron/fuses'
import { root } from './root'

/** How many fuses @electron/fuses knows. */
export const fuseCount = Object.values(FuseV1Options).filter((each) => typeof each === 'number').length

/** What @electron/fuses looks for in a program, version and number of fuses behind it, then one character a fuse. */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'

/**
 * A folder that stands in for Electron's runtime, as far as packaging reads it: a program that carries fuses, all off,
 * and the files that are copied along.
 */
export function standInRuntime(folder: string, fuses = fuseCount): string {
  const electron: unknown = JSON.parse(readFileSync(join(root, 'node_modules/electron/package.json'), 'utf8'))
  const version = typeof electron === 'object' && electron !== null && 'version' in electron ? electron.version : ''
  mkdirSync(join(folder, 'resources'), { recursive: true })
  mkdirSync(join(folder, 'locales'), { recursive: true })
  const program = join(folder, 'electron')
  writeFileSync(program, Buffer.concat([Buffer.from(`stand-in ${sentinel}`), Buffer.from([1, fuses]), wire(fuses)]))
  chmodSync(program, 0o755)
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'chrome-sandbox']) writeFileSync(join(folder, name), name)
  for (const name of ['de', 'en-US', 'es', 'es-419']) writeFileSync(join(folder, `locales/${name}.pak`), name)
  writeFileSync(join(folder, 'version'), String(version))
  return program
}

const wire = (fuses: number) => Buffer.from('0'.repeat(fuses))
