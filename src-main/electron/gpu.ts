import { readFileSync } from 'node:fs'
import { app } from 'electron'
import { z } from 'zod'
import type { Log } from '../core/log'
import { writeWhole } from '../database/files'

/** Crashes of Chromium's GPU process, counted per app version, because another version may work with the graphics. */
const GpuCrashes = z.object({ version: z.string(), crashes: z.number().int().nonnegative() })

/** After this many crashes the app draws without the GPU. */
const mostCrashes = 2

/**
 * Counts crashes of the GPU process in `file`. After two, later starts don't use the GPU, because a till with broken
 * graphics shows nothing or quits. Call before Electron is ready.
 */
export function avoidBrokenGpu(file: string, log: () => Pick<Log, 'warn'> | undefined): void {
  const version = app.getVersion()
  let crashes = crashesIn(file, version)
  if (crashes >= mostCrashes) app.disableHardwareAcceleration()
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    if (reason === 'clean-exit') return
    log()?.warn('a process of Chromium is gone', { type, reason, exitCode })
    // Killed or out of memory doesn't mean that the graphics are broken.
    if (type !== 'GPU' || !['crashed', 'abnormal-exit', 'launch-failed'].includes(reason)) return
    crashes += 1
    write(file, { version, crashes })
  })
}

function crashesIn(file: string, version: string): number {
  try {
    const found = GpuCrashes.parse(JSON.parse(readFileSync(file, 'utf8')))
    return found.version === version ? found.crashes : 0
  } catch {
    return 0
  }
}

function write(file: string, crashes: z.infer<typeof GpuCrashes>): void {
  try {
    writeWhole(file, JSON.stringify(crashes))
  } catch {
    // If the disk refuses, counting starts over at the next start.
  }
}
