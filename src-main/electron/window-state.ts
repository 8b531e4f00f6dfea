import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { writeWhole } from '../store/files'

const length = z.number().int().min(-100_000).max(100_000)
const Area = z.object({ x: length, y: length, width: length, height: length })

/**
 * Where the window was, in device-independent pixels; of a maximised one, where it goes when it is restored. `zoomLevel` as
 * Chromium counts: 0 is 100 %, each step 20 % more or less.
 */
export const WindowState = z.object({
  bounds: Area,
  isMaximized: z.boolean(),
  isFullScreen: z.boolean().default(false),
  zoomLevel: z.number().min(-3).max(5).default(0).catch(0),
})
export type WindowState = z.infer<typeof WindowState>

/** What was saved; null if there is nothing, or nothing that makes sense. */
export function readWindowState(file: string): WindowState | null {
  try {
    return WindowState.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

/** Saves it whole or not at all. */
export function writeWindowState(file: string, state: WindowState): void {
  try {
    writeWhole(file, JSON.stringify(state))
  } catch {
    // The window opens at its usual place next time.
  }
}
