import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeOwnFolder, renameForGood, sync } from '../store/files'

/** Its name and its proof. */
export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export type PhotoFiles = ReturnType<typeof createPhotoFiles>

/**
 * Photos as files named by their content, for this user alone. Files rather than rows of the database: a photo is written once,
 * and the hourly backups would copy all photos again each time. Methods that write throw if the disk refuses.
 */
export function createPhotoFiles(folder: string) {
  const pathOf = (sha256: string) => join(folder, `${sha256}.jpg`)
  return {
    /** Writes a photo so that it survives a power cut. One that is there already is left alone. */
    write(sha256: string, bytes: Uint8Array): void {
      const path = pathOf(sha256)
      makeOwnFolder(folder)
      if (existsSync(path) && sha256Of(readFileSync(path)) === sha256) return
      writeFileSync(`${path}.new`, bytes, { mode: 0o600 })
      sync(`${path}.new`)
      renameForGood(`${path}.new`, path)
    },
    has: (sha256: string) => existsSync(pathOf(sha256)),
    /** The photo; `altered` if the file holds something else, `missing` if it can't be read. */
    read(sha256: string): Buffer | 'missing' | 'altered' {
      try {
        const bytes = readFileSync(pathOf(sha256))
        return sha256Of(bytes) === sha256 ? bytes : 'altered'
      } catch {
        return 'missing'
      }
    },
    /** A file that isn't there is deleted already. */
    delete: (sha256: string) => {
      rmSync(pathOf(sha256), { force: true })
    },
  }
}
