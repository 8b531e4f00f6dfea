import { readFileSync } from 'node:fs'
import type { Rectangle } from 'electron'
import { z } from 'zod'
import { writeWhole } from '../store/files'

/** The screens are drawn for this size and more (a till's usual 1024 x 768). */
const smallest = { width: 1024, height: 768 }
const usual = { width: 1280, height: 800 }

type Size = Pick<Rectangle, 'width' | 'height'>

/** Where a window goes, in device-independent pixels. */
interface Placement {
  bounds: Rectangle
  /** No larger than the work area: a till's taskbar leaves less than 768 pixels of a display of 768. */
  minimum: Size
  isMaximized: boolean
}

/**
 * Where the window opens: where it was if that can still be reached, else in the middle of the main display; never outside
 * of the work area. Where the usual size doesn't fit, it opens maximised. `workAreas`: of all displays, the main one first.
 */
export function placementOf(saved: WindowState | null, workAreas: readonly Rectangle[]): Placement {
  const place = saved && isReachable(saved.bounds, workAreas) ? saved.bounds : undefined
  const area = areaOf(place, workAreas)
  if (!area) return { bounds: { x: 0, y: 0, ...usual }, minimum: smallest, isMaximized: false }
  const isTight = area.width < usual.width || area.height < usual.height
  const bounds = within(place ?? inTheMiddleOf(area), area)
  return { bounds, minimum: minimumIn(area), isMaximized: isTight || saved?.isMaximized === true }
}

/** What the window's smallest size and place become when displays change, or it was dragged to another one. */
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

/** As large as it was, if that fits, and moved no further than it must be. */
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
 * Where the window was, in device-independent pixels; of a maximised one, where it goes when it is restored. `zoomLevel` as
 * Chromium counts: 0 is 100 %, each step 20 % more or less.
 */
const WindowState = z.object({
  bounds: Area,
  isMaximized: z.boolean(),
  isFullScreen: z.boolean().default(false),
  zoomLevel: z.number().min(-3).max(5).default(0).catch(0),
})
type WindowState = z.infer<typeof WindowState>

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
