import { readFileSync } from 'node:fs'
import type { Rectangle } from 'electron'
import { z } from 'zod'
import { writeWhole } from '../database/files'

/** The smallest size the screens are designed for (1024 x 768, common for tills). */
const smallest = { width: 1024, height: 768 }
const usual = { width: 1280, height: 800 }

type Size = Pick<Rectangle, 'width' | 'height'>

/** A window's position and size, in device-independent pixels. */
interface Placement {
  bounds: Rectangle
  /** No larger than the work area: a taskbar leaves less than 768 pixels on a display of 768. */
  minimum: Size
  isMaximized: boolean
}

/**
 * Where the window opens: at its last position if that is still reachable, otherwise centered on the main display; never
 * outside the work area. Maximized if the usual size doesn't fit. `workAreas`: those of all displays, the main display's
 * first.
 */
export function placementOf(saved: WindowState | null, workAreas: readonly Rectangle[]): Placement {
  const place = saved && isReachable(saved.bounds, workAreas) ? saved.bounds : undefined
  const area = areaOf(place, workAreas)
  if (!area) return { bounds: { x: 0, y: 0, ...usual }, minimum: smallest, isMaximized: false }
  const isTight = area.width < usual.width || area.height < usual.height
  const bounds = within(place ?? inTheMiddleOf(area), area)
  return { bounds, minimum: minimumIn(area), isMaximized: isTight || saved?.isMaximized === true }
}

/** The window's minimum size and position after displays changed, or after it was dragged to another display. */
export function refit(bounds: Rectangle, workAreas: readonly Rectangle[]): Omit<Placement, 'isMaximized'> {
  const area = areaOf(isReachable(bounds, workAreas) ? bounds : undefined, workAreas)
  return area ? { bounds: within(bounds, area), minimum: minimumIn(area) } : { bounds, minimum: smallest }
}

const minimumIn = (area: Size): Size => ({
  width: Math.min(smallest.width, area.width),
  height: Math.min(smallest.height, area.height),
})

const inTheMiddleOf = (area: Rectangle): Rectangle => ({
  ...usual,
  x: area.x + Math.round((area.width - usual.width) / 2),
  y: area.y + Math.round((area.height - usual.height) / 2),
})

/** Keeps the size if it fits, and moves the window no further than needed. */
function within(bounds: Rectangle, area: Rectangle): Rectangle {
  const minimum = minimumIn(area)
  const width = Math.min(Math.max(bounds.width, minimum.width), area.width)
  const height = Math.min(Math.max(bounds.height, minimum.height), area.height)
  return {
    width,
    height,
    x: Math.min(Math.max(bounds.x, area.x), area.x + area.width - width),
    y: Math.min(Math.max(bounds.y, area.y), area.y + area.height - height),
  }
}

const overlap = (one: Rectangle, other: Rectangle) => {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x)
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y)
  return Math.max(width, 0) * Math.max(height, 0)
}

/** The work area that shows most of the window; without a place, the main display's. */
const areaOf = (bounds: Rectangle | undefined, workAreas: readonly Rectangle[]) =>
  bounds ? workAreas.toSorted((a, b) => overlap(b, bounds) - overlap(a, bounds))[0] : workAreas[0]

const grip = { width: 100, height: 40 }

/** Whether a person could still grab the title bar of a window there, on one of these work areas. */
const isReachable = (bounds: Rectangle, workAreas: readonly Rectangle[]): boolean =>
  workAreas.some((area) => {
    const left = Math.max(bounds.x, area.x)
    const right = Math.min(bounds.x + bounds.width, area.x + area.width)
    return right - left >= grip.width && bounds.y >= area.y && bounds.y + grip.height <= area.y + area.height
  })

const length = z.number().int().min(-100_000).max(100_000)
const Area = z.object({ x: length, y: length, width: length, height: length })

/**
 * The window's position in device-independent pixels; for a maximized window, the position when restored. `zoomLevel` is
 * Chromium's: 0 is 100 %, each step is 20 % more or less.
 */
const WindowState = z.object({
  bounds: Area,
  isMaximized: z.boolean(),
  isFullScreen: z.boolean().default(false),
  zoomLevel: z.number().min(-3).max(5).default(0).catch(0),
})
type WindowState = z.infer<typeof WindowState>

/** The saved state; null if there is none or it is invalid. */
export function readWindowState(file: string): WindowState | null {
  try {
    return WindowState.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

/** Saves the state atomically. */
export function writeWindowState(file: string, state: WindowState): void {
  try {
    writeWhole(file, JSON.stringify(state))
  } catch {
    // If the disk refuses, the window opens at its default position next time.
  }
}
