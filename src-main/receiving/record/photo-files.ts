import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isOutOfFiles } from '../../core/open-files'
import type { AtStep } from '../../core/steps'
import { makeOwnFolder, namesIn, renameForGood, sync } from '../../database/files'

/** Its name and its proof. */
export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export type PhotoFiles = ReturnType<typeof createPhotoFiles>

/**
 * Photos as files named by their content, for this user alone. Files rather than rows of the database: a photo is written once,
 * and the hourly backups would copy all photos again each time. Methods that write throw if the disk refuses.
 */
export function createPhotoFiles(folder: string, atStep: AtStep = () => undefined) {
  const pathOf = (sha256: string) => join(folder, `${sha256}.jpg`)
  /** An empty file beside a photo that may have no row yet. */
  const noteOf = (sha256: string) => join(folder, `${sha256}.unfiled`)
  return {
    /**
     * Writes a photo so that it survives a power cut, and notes that it has no row yet. One that is there already is left alone.
     * Call `filed` once its row is saved.
     */
    write(sha256: string, bytes: Uint8Array): void {
      const path = pathOf(sha256)
      makeOwnFolder(folder)
      writeFileSync(noteOf(sha256), '', { mode: 0o600 })
      if (existsSync(path) && sha256Of(readFileSync(path)) === sha256) return
      writeFileSync(`${path}.new`, bytes, { mode: 0o600 })
      sync(`${path}.new`)
      atStep('photo.writing')
      renameForGood(`${path}.new`, path)
      atStep('photo.written')
    },
    has: (sha256: string) => existsSync(pathOf(sha256)),
    /**
     * The photo; `altered` if the file holds something else, `missing` if it can't be read, `unread` if no more files can be
     * opened now.
     */
    read(sha256: string): Buffer | 'missing' | 'altered' | 'unread' {
      try {
        const bytes = readFileSync(pathOf(sha256))
        return sha256Of(bytes) === sha256 ? bytes : 'altered'
      } catch (cause) {
        return isOutOfFiles(cause) ? 'unread' : 'missing'
      }
    },
    filed(sha256: string): void {
      rmSync(noteOf(sha256), { force: true })
    },
    /** Photos that were written and perhaps have no row, because the disk refused it or the process ended before. */
    unfiled: (): string[] => namesIn(folder).flatMap((name) => /^([0-9a-f]{64})\.unfiled$/.exec(name)?.[1] ?? []),
    /** A file that isn't there is deleted already. */
    delete(sha256: string): void {
      rmSync(pathOf(sha256), { force: true })
    },
    /** Deletes what an unfinished write left under its first name. */
    deleteHalves(): void {
      for (const name of namesIn(folder)) if (name.endsWith('.jpg.new')) rmSync(join(folder, name), { force: true })
    },
  }
}
