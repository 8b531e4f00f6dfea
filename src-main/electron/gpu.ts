import { readFileSync } from 'node:fs'
import { app } from 'electron'
import { z } from 'zod'
import type { Log } from '../log'
import { writeWhole } from '../store/files'

/** Crashes of Chromium's GPU process under a version of the app: another one may get on with the graphics. */
const GpuCrashes = z.object({ version: z.string(), crashes: z.number().int().nonnegative() })

/** After so many the app draws without the GPU. */
const mostCrashes = 2

/**
 * Counts crashes of the GPU process in `file`; after two, the next starts go without the GPU, for a till with broken
 * graphics shows nothing or ends by itself. To be called before Electron is ready.
 */
export function avoidBrokenGpu(file: string, log: () => Pick<Log, 'warn'> | undefined): void {
  const version = app.getVersion()
  let crashes = crashesIn(file, version)
  if (crashes >= mostCrashes) app.disableHardwareAcceleration()
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    if (reason === 'clean-exit') return
    log()?.warn('a process of Chromium is gone', { type, reason, exitCode })
    // Killed, or out of memory: not a fault of the graphics.
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
    // The disk refused: counting starts over at the next start.
  }
}
