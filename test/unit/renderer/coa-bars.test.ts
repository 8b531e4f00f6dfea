import { describe, expect, it } from 'vitest'
import { barsOf, isDrawn } from '../../../src-renderer/find/coa-text'

describe('the bars of a certificate', () => {
  const measured = (name: string, value: string | null, unit: string | null = '%') => ({ name, value, unit })

  it('stand in order of size, with the numbers as the laboratory wrote them', () => {
    const rows = [measured('Limonene', '0.42'), measured('Myrcene', '1.10'), measured('Linalool', '0')]
    expect(barsOf(rows)).toEqual([
      { name: 'Myrcene', text: '1.10\u00a0%', value: 1.1 },
      { name: 'Limonene', text: '0.42\u00a0%', value: 0.42 },
      { name: 'Linalool', text: '0\u00a0%', value: 0 },
    ])
  })

  it('are not drawn for what has no number of the same unit', () => {
    const rows = [
      measured('A', '<0.01'),
      measured('B', '900', 'mg/kg'),
      measured('C', null),
      measured('D', '-1'),
      measured('E', '2'),
    ]
    expect(barsOf(rows).map(({ name, value }) => [name, value])).toEqual([
      ['E', 2],
      ['A', null],
      ['B', null],
      ['C', null],
      ['D', null],
    ])
    expect(barsOf([])).toEqual([])
  })

  it('are for terpenes and cannabinoids, not for contaminants', () => {
    const groups = ['terpenes', 'cannabinoids', 'tests_terpenes', 'terpene_profiling', 'heavy_metals', 'tests_ph']
    expect(groups.map(isDrawn)).toEqual([true, true, true, true, false, false])
  })
})
