import { describe, expect, it } from 'vitest'
import { growthPerDay } from '../../soak/growth'
import { type Plot, drawPlot, pathOf, scale, ticks } from '../../soak/plot'

const same = (value: number) => value

describe('the scaling of the plot', () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 0.25, 0.5, 0.75, 1]],
    [4, [0, 1, 2, 3, 4]],
    [9, [0, 2.5, 5, 7.5, 10]],
    [30, [0, 10, 20, 30]],
    [137.5, [0, 50, 100, 150]],
    [1_001, [0, 250, 500, 750, 1_000, 1_250]],
  ])('marks %d with round numbers up to it or beyond', (most, expected) => {
    expect(ticks(most)).toEqual(expected)
  })

  it.each([0.003, 0.7, 3, 17, 99, 250, 6_543])(
    'leaves no value above the highest mark and little empty space: %d',
    (most) => {
      const marks = ticks(most)
      expect(marks[0]).toBe(0)
      expect(marks.at(-1)).toBeGreaterThanOrEqual(most)
      expect(marks.at(-2)).toBeLessThan(most)
      expect(marks.length).toBeLessThanOrEqual(6)
    },
  )

  it('maps 0 to one end, the maximum to the other, and half to the middle, also upside down', () => {
    expect([0, 5, 10].map(scale(10, 100, 300))).toEqual([100, 200, 300])
    expect([0, 5, 10].map(scale(10, 300, 100))).toEqual([300, 200, 100])
    expect(scale(0, 7, 9)(0)).toBe(7)
  })

  it('joins points, and draws nothing without points', () => {
    const points = [
      { at: 0, value: 1 },
      { at: 2, value: 3.04 },
    ]
    expect(pathOf(points, same, same)).toBe('M0 1L2 3')
    expect(pathOf([], same, same)).toBe('')
  })
})

describe('the plot', () => {
  const plot = (values: number[]): Plot => ({
    title: 'Memory & <more>',
    facts: 'two days',
    names: ['one', 'two'],
    charts: [
      {
        title: 'Memory',
        unit: 'MB',
        series: [values.map((value, at) => ({ at, value })), [{ at: 0, value: 50 }]],
        dots: [[{ at: 10, value: 200 }]],
      },
    ],
    evenings: [5, 10],
  })

  it('keeps every point of a line inside its chart, and includes dots in the scale', () => {
    const svg = drawPlot(plot([0, 20, 40, 100]))
    const [, line = ''] = /<path class="line s1" d="(M64 [^"]*L[^"]*)"/.exec(svg) ?? []
    const ends = [...line.matchAll(/[ML]([\d.]+) ([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)])
    // 0 of 10 minutes and 0 MB: the lower left corner. 3 of 10 minutes and 100 of 200 MB: half the height.
    expect(ends[0]).toEqual([64, 212])
    expect(ends.at(-1)).toEqual([296.8, 159])
    expect(svg).toContain('<circle class="dot s1" cx="840" cy="106" r="3.5"/>')
  })

  it('marks each evening, shows the names and units, is well-formed, and has colors for dark mode', () => {
    const svg = drawPlot(plot([1, 2]))
    expect(svg.match(/class="evening"/g)).toHaveLength(2)
    expect(svg).toContain('Memory, MB')
    expect(svg).toContain('Memory &amp; &lt;more>')
    expect(svg).toContain('prefers-color-scheme: dark')
    expect(svg).not.toMatch(/NaN|undefined|Infinity/)
  })

  it('can be drawn without data', () => {
    const svg = drawPlot({ ...plot([]), evenings: [], charts: [{ title: 'Empty', unit: 'ms', series: [[], []] }] })
    expect(svg).not.toMatch(/NaN|undefined|Infinity/)
  })
})

describe('the growth from evening to evening', () => {
  it('is the slope of a straight line, unaffected by values equally far above and below it', () => {
    expect(growthPerDay([10, 12, 14, 16])).toBe(2)
    expect(growthPerDay([7, 7, 7])).toBe(0)
    expect(growthPerDay([5, 2])).toBe(-3)
    expect(growthPerDay([11, 9, 11, 9, 11])).toBe(0)
  })

  it('is unknown for a single evening', () => {
    expect(growthPerDay([3])).toBeNull()
    expect(growthPerDay([])).toBeNull()
  })
})
