import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

const length = z.number().int().min(-100_000).max(100_000)
const Area = z.object({ x: length, y: length, width: length, height: length })
type Area = z.infer<typeof Area>

/** Where the window was, in device-independent pixels; of a maximised one, where it goes when it is restored. */
export const WindowState = z.object({ bounds: Area, isMaximized: z.boolean() })
export type WindowState = z.infer<typeof WindowState>

/** What was saved; null if there is nothing, or nothing that makes sense. */
export function readWindowState(file: string): WindowState | null {
  try {
    return WindowState.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

/** Saves by write and rename, so that a power cut leaves the old state or the new one. A full disk loses it: no harm. */
export function writeWindowState(file: string, state: WindowState): void {
  try {
    const written = `${file}.new`
    writeFileSync(written, JSON.stringify(state))
    renameSync(written, file)
  } catch {
    // The window opens at its usual place next time.
  }
}

const grip = { width: 100, height: 40 }

/** Whether a person could still grab the title bar of a window there, on one of these work areas. */
export function isReachable(bounds: Area, workAreas: readonly Area[]): boolean {
  return workAreas.some((area) => {
    const left = Math.max(bounds.x, area.x)
    const right = Math.min(bounds.x + bounds.width, area.x + area.width)
    return right - left >= grip.width && bounds.y >= area.y && bounds.y + grip.height <= area.y + area.height
  })
}
