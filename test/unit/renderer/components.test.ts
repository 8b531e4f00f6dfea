import { render } from 'svelte/server'
import { describe, expect, it } from 'vitest'
import ColumnMapping from '../../../src-renderer/csv/ColumnMapping.svelte'
import { placesOf } from '../../../src-renderer/ui/places'
import Select from '../../../src-renderer/ui/Select.svelte'

describe('columns to match', () => {
  const props = {
    withoutHeader: null,
    columns: [{ at: 0, name: 'SKU', example: '9' }],
    preview: [],
    fields: [
      { column: 'id' as const, label: 'Product ID', isNeeded: true },
      { column: 'sku' as const, label: 'SKU', isNeeded: false },
    ],
    mapping: { id: null, sku: 0 },
    propose: () => ({ id: null, sku: 0 }),
    how: '',
    onmap: () => undefined,
  }

  it('are read as required if they are needed, also once they are matched', () => {
    const selects = (mapping: { id: number | null; sku: number | null }) =>
      render(ColumnMapping, { props: { ...props, mapping } }).body.match(/<select[^>]*>/g) ?? []
    for (const mapping of [
      { id: null, sku: 0 },
      { id: 0, sku: null },
    ]) {
      expect(selects(mapping).map((one) => one.includes('aria-required="true"'))).toEqual([true, false])
    }
  })
})

describe('a list to choose from', () => {
  it('says nothing of being required where it is not', () => {
    const { body } = render(Select, {
      props: { label: 'Show', choices: [{ value: 1, label: 'One' }], value: 1, onchoose: () => undefined },
    })
    expect(body).not.toContain('aria-required')
  })
})

describe('the rows of a long list', () => {
  it('are counted without the headings between them', () => {
    const items = ['Monday', 'a', 'b', 'Sunday', 'c']
    expect(placesOf(items, (item) => item.endsWith('day'))).toEqual([undefined, 1, 2, undefined, 3])
  })
})
