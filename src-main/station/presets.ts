import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ConnectionPreset } from '../../src-shared/ipc/contract/station'
import type { Log } from '../core/log'

const Presets = z.strictObject({ presets: z.array(z.unknown()).max(100) })

/**
 * The regions that a new connection may begin with: `connections/presets.json` of the resources, which IT may extend. An
 * entry without addresses fills nothing in, so it isn't offered. A file that can't be read only leaves the choice empty.
 */
export function readPresets(resourcesDir: string, log: Pick<Log, 'warn'>): ConnectionPreset[] {
  try {
    const file = join(resourcesDir, 'connections', 'presets.json')
    const { presets } = Presets.parse(JSON.parse(readFileSync(file, 'utf8')))
    const usable = presets.flatMap((written) => ConnectionPreset.safeParse(written).data ?? []).filter(fillsIn)
    const left = presets.length - usable.length
    if (left > 0) log.warn('presets of connections without usable addresses are not offered', { count: left })
    return usable
  } catch (cause) {
    log.warn('the presets of connections could not be read', { cause })
    return []
  }
}

/** Whether a connection can be made of it: the address of the service, and of the sign-in for one account at least. */
const fillsIn = ({ baseUrl, retailAuthUrl = null, sourcingAuthUrl = null }: ConnectionPreset) =>
  baseUrl !== undefined && (retailAuthUrl !== null || sourcingAuthUrl !== null)
