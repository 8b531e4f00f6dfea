import { basename, dirname, isAbsolute, join, resolve } from 'node:path'

export interface Windows {
  platform: NodeJS.Platform
  environment: NodeJS.ProcessEnv
}

/**
 * The folder for this computer's data in place of one that roams: on Windows in LOCALAPPDATA, under the same name. It is the
 * same folder where nothing roams, or Windows names no local one.
 */
export function localFolderFor(folder: string, { platform, environment }: Windows): string {
  const { APPDATA: roaming = '', LOCALAPPDATA: local = '' } = environment
  // A folder that was chosen by hand is where it is to be.
  const roams = platform === 'win32' && roaming !== '' && resolve(dirname(folder)) === resolve(roaming)
  return roams && isAbsolute(local) ? join(local, basename(folder)) : folder
}
