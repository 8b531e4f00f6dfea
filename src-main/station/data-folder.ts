import { basename, dirname, isAbsolute, join, resolve } from 'node:path'

export interface Windows {
  platform: NodeJS.Platform
  environment: NodeJS.ProcessEnv
}

/**
 * The folder for this computer's data in place of one that roams: on Windows in LOCALAPPDATA, under the same name. It is the
 * same folder where nothing roams.
 */
export function localFolderFor(folder: string, { platform, environment }: Windows): string {
  const { APPDATA: roaming = '', LOCALAPPDATA: local = '' } = environment
  // A folder that was chosen by hand is where it is to be.
  const roams = platform === 'win32' && roaming !== '' && isSamePath(dirname(folder), roaming)
  if (!roams) return folder
  // A task that starts it may have no name for the local one: it lies beside the one that roams.
  return join(isAbsolute(local) ? local : join(dirname(folder), '..', 'Local'), basename(folder))
}

/** Windows does not tell capitals from small letters. */
const isSamePath = (one: string, other: string) => resolve(one).toLowerCase() === resolve(other).toLowerCase()
