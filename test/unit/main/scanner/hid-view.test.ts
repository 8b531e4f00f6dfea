import { describe, expect, it } from 'vitest'
import { isPollWanted, libraryView } from '../../../../src-main/scanner/hid'

const failed = (failures: number) => ({ state: 'failed', failures }) as const
const ready = { state: 'ready', failures: 0 } as const
const opening = { state: 'opening', failures: 2 } as const

describe('looking for scanners', () => {
  it.each([
    { scanners: [], isWanted: true },
    { scanners: [ready], isWanted: false },
    { scanners: [opening], isWanted: false },
    { scanners: [failed(2)], isWanted: true },
    { scanners: [failed(30)], isWanted: true },
    { scanners: [ready, failed(2)], isWanted: true },
    { scanners: [ready, failed(3)], isWanted: false },
  ])('polls for $scanners: $isWanted', ({ scanners, isWanted }) => {
    expect(isPollWanted(scanners)).toBe(isWanted)
  })

  it.each([
    { problem: null, hasNews: true, view: { library: 'ok', problem: null } },
    { problem: null, hasNews: false, view: { library: 'no-usb', problem: 'scanner/no-usb' } },
    { problem: 'scanner/cannot-list', hasNews: true, view: { library: 'ok', problem: 'scanner/cannot-list' } },
    { problem: 'scanner/cannot-list', hasNews: false, view: { library: 'no-usb', problem: 'scanner/cannot-list' } },
    {
      problem: 'scanner/missing-library',
      hasNews: false,
      view: { library: 'missing', problem: 'scanner/missing-library' },
    },
  ] as const)('shows $problem as $view.library', ({ problem, hasNews, view }) => {
    expect(libraryView(problem, hasNews)).toEqual(view)
  })
})
