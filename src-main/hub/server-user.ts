import { chownSync, existsSync, rmSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import process from 'node:process'

/** PostgreSQL refuses to run as root: then it runs as a user that owns nothing else. Its number on Linux. */
export const nobody = 65_534

export const isRoot = (): boolean => process.getuid?.() === 0

/** What starts a program as the user that PostgreSQL runs as. */
export const asServer = (): { uid?: number; gid?: number } => (isRoot() ? { uid: nobody, gid: nobody } : {})

/** Gives a file to the user that PostgreSQL runs as. */
export function giveToServer(path: string): void {
  if (isRoot()) chownSync(path, nobody, nobody)
}

/** How a program of PostgreSQL is told of its data. */
export interface DataPlace {
  options: { uid?: number; gid?: number; cwd?: string }
  /** The folder of the data. */
  data: string
  /** A file beside the data. */
  beside: (file: string) => string
  /** A file beside the data where PostgreSQL takes whole paths only. */
  whole: (file: string) => string
}

const here = '/proc/self/cwd'

/**
 * As root, the data may lie below a folder that only root may enter, such as root's home: PostgreSQL's user can't walk there.
 * It is started inside, and told of "here" instead of a path.
 */
export function dataPlace(folder: string): DataPlace {
  if (!isRoot() || !existsSync(here))
    return { options: asServer(), data: folder, beside: (file) => file, whole: (file) => file }
  return {
    options: { ...asServer(), cwd: folder },
    data: here,
    beside: (file) => relative(folder, file),
    whole(file) {
      // PostgreSQL shortens `/proc/self/cwd/../file` before it looks: a link inside leads out. Links are made anew, never followed.
      const name = `countertag-${relative(folder, file).replaceAll(/[^\w.]|\.\./g, '')}`
      rmSync(join(folder, name), { force: true })
      symlinkSync(relative(folder, file), join(folder, name))
      return join(here, name)
    },
  }
}
