import { homedir, platform } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { version } from '../../package.json'
import { type ProfileId, practiceId } from '../../src-shared/ipc/contract/station'
import { type Result, err, ok } from '../../src-shared/result'
import { localFolderFor, moveDue } from '../station/data-folder'

export interface Options {
  port: number
  open: boolean
  dataDir: string
  /** The connection to open this time instead of the last one used. */
  profile: ProfileId | undefined
  development: boolean
}

const usage = 'Flags: --port N, --no-open, --data-dir DIR, --profile practice'

const Port = z.coerce.number().int().min(0).max(65_535)

/** The browser host's command line; the error is a sentence for a person. */
export function parseOptions(args: string[]): Result<Options, string> {
  try {
    const { values } = parseArgs({
      args,
      options: {
        port: { type: 'string', default: '0' },
        'no-open': { type: 'boolean', default: false },
        'data-dir': { type: 'string' },
        profile: { type: 'string' },
        dev: { type: 'boolean', default: false },
        browser: { type: 'boolean', default: true },
      },
    })
    const port = Port.safeParse(values.port)
    if (!port.success) return err(`--port takes a number from 0 to 65535, not "${values.port}". ${usage}`)
    if (values.profile !== undefined && values.profile !== practiceId)
      return err(`There is no profile "${values.profile}". ${usage}`)
    return ok({
      port: port.data,
      open: !values['no-open'],
      dataDir: values['data-dir'] ?? defaultDataDir(),
      profile: values.profile,
      development: values.dev,
    })
  } catch (cause) {
    return err(`${cause instanceof Error ? cause.message : String(cause)}. ${usage}`)
  }
}

/** The folder that Electron would use: both hosts work on the same data, and the store's lock prevents running both. */
function defaultDataDir(): string {
  const { APPDATA, XDG_CONFIG_HOME } = process.env
  if (platform() === 'win32')
    return windowsDataDir(join(APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'countertag'))
  if (platform() === 'darwin') return join(homedir(), 'Library', 'Application Support', 'countertag')
  return join(XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'countertag')
}

/**
 * Only Electron's host moves data that an earlier version left in the roaming folder, because it can lock that version
 * out.
 */
function windowsDataDir(from: string): string {
  const to = localFolderFor(from, { platform: 'win32', environment: process.env })
  return moveDue({ from, to }) === 'begin' ? from : to
}

export const appVersion: string = version
