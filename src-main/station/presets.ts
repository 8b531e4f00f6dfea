import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ConnectionPreset } from '../../src-shared/ipc/contract/station'
import type { Log } from '../log'

const Presets = z.strictObject({ presets: z.array(ConnectionPreset).max(100) })

/**
 * The regions that a new connection may begin with: `connections/presets.json` of the resources, which IT may extend. A
 * file that can't be read only leaves the choice empty.
 */
export function readPresets(resourcesDir: string, log: Pick<Log, 'warn'>): ConnectionPreset[] {
  try {
    return Presets.parse(JSON.parse(readFileSync(join(resourcesDir, 'connections', 'presets.json'), 'utf8'))).presets
  } catch (cause) {
    log.warn('the presets of connections could not be read', { cause })
    return []
  }
}
