import { describe, expect, it } from 'vitest'
import { placementOf, refit } from '../../../../src-main/electron/placement'

const area = (width: number, height: number, x = 0, y = 0) => ({ x, y, width, height })
const state = { isMaximized: false, isFullScreen: false, zoomLevel: 0 }

describe('the window opens', () => {
  it('in the middle of the main display the first time', () => {
    expect(placementOf(null, [area(1920, 1040), area(1920, 1080, 1920)])).toEqual({
      bounds: area(1280, 800, 320, 120),
      minimum: { width: 1024, height: 768 },
      isMaximized: false,
    })
  })

  it.each([
    ['a display of 1024x768 with its taskbar', area(1024, 728), { width: 1024, height: 728 }],
    ['a wide display of 768 lines', area(1366, 728), { width: 1024, height: 728 }],
    ['a till of 1280x720', area(1280, 672), { width: 1024, height: 672 }],
    ['a taskbar on the left', area(1000, 768, 24), { width: 1000, height: 768 }],
    ['a taskbar above', area(1280, 760, 0, 40), { width: 1024, height: 760 }],
  ])('maximized and inside of %s', (_what, workArea, minimum) => {
    const placed = placementOf(null, [workArea])
    expect(placed).toMatchObject({ minimum, isMaximized: true })
    const { x, y, width, height } = placed.bounds
    expect(x >= workArea.x && y >= workArea.y).toBe(true)
    expect([x + width <= workArea.x + workArea.width, y + height <= workArea.y + workArea.height]).toEqual([true, true])
  })

  it('in its last place, at most as large as the display', () => {
    const displays = [area(1920, 1040), area(1280, 1000, 1920)]
    const saved = { ...state, bounds: area(1600, 1100, 1900, 20) }
    expect(placementOf(saved, displays).bounds).toEqual(area(1280, 1000, 1920))
    expect(
      placementOf({ ...state, bounds: area(1200, 800, -1800, 100) }, [area(1920, 1040), area(1920, 1080, -1920)]),
    ).toMatchObject({ bounds: area(1200, 800, -1800, 100), isMaximized: false })
  })

  it.each([
    ['the display it was on is gone', area(1200, 800, 3000, 100)],
    ['its title bar would be above the display', area(1200, 800, 200, -60)],
    ['only its edge would be seen', area(1200, 800, -1150, 100)],
  ])('in its default place if %s', (_why, bounds) => {
    expect(placementOf({ ...state, bounds }, [area(1920, 1040)]).bounds).toEqual(area(1280, 800, 320, 120))
  })

  it('even if no display is known', () => {
    expect(placementOf(null, [])).toMatchObject({ bounds: area(1280, 800), isMaximized: false })
  })
})

describe('when displays change', () => {
  it.each([
    ['nothing that touches it', area(1200, 800, 100, 100), [area(1920, 1040)], area(1200, 800, 100, 100)],
    ['a taskbar grows', area(1280, 800, 2400, 200), [area(1920, 1040), area(1366, 728, 1920)], area(1280, 728, 2006)],
    ['its display is unplugged', area(1280, 800, 2400, 200), [area(1920, 1040)], area(1280, 800, 640, 200)],
    ['it was grown smaller than the screens are drawn for', area(800, 600), [area(1920, 1040)], area(1024, 768)],
  ])('moves the window only as far as necessary: %s', (_what, bounds, displays, expected) => {
    expect(refit(bounds, displays).bounds).toEqual(expected)
  })
})
