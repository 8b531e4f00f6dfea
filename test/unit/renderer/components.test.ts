import { render } from 'svelte/server'
import { describe, expect, it } from 'vitest'
import ColumnMapping from '../../../src-renderer/csv/ColumnMapping.svelte'
import SignDialog from '../../../src-renderer/orders/day/SignDialog.svelte'
import { Day } from '../../../src-renderer/orders/day/day.svelte'
import ImportBar from '../../../src-renderer/receiving/ImportBar.svelte'
import { itemByKey, placesOf } from '../../../src-renderer/ui/places'
import Select from '../../../src-renderer/ui/Select.svelte'
import { createClient } from '../../../src-shared/ipc/client'
import { fill, receivingPackage } from './deliveries'
import { caseId, caseView, dayReport, product } from './examples'
import { createFakeWire } from './fake-wire'

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

  const places = [undefined, 1, 2, undefined, 3, 4, 5]
  it.each([
    ['ArrowDown', 2, 4],
    ['ArrowUp', 4, 2],
    ['ArrowUp', 1, 1],
    ['ArrowDown', 6, 6],
    ['ArrowDown', -1, 1],
    ['Home', 5, 1],
    ['End', 1, 6],
    ['PageDown', 1, 4],
    ['PageUp', 6, 4],
    ['PageDown', 5, 6],
    ['Enter', 1, undefined],
  ])('are reached by keys: %s leads from %i to %s', (key, from, to) => {
    expect(itemByKey(key, places, from, 2)).toBe(to)
  })

  it('are not reached where there are none', () => {
    expect(itemByKey('End', [undefined], -1, 0)).toBeUndefined()
  })
})

describe('the main button of Receiving', () => {
  it.each([
    ['Blue Dune, 3.5 g', false],
    ['Blue Dune Reserve Pre-Roll Multipack, 10 × 0.35 g, Indica, Child-Resistant Tin', true],
  ])('offers the list of one case if its name is too long to be read in it: %s', async (productName, isOffered) => {
    const view = caseView(1, { packagedProducts: [{ ...product(1), productName }] })
    const { receiving } = await receivingPackage([view])
    receiving.select(caseId(1))
    fill(receiving)
    expect(receiving.plan.ready).toHaveLength(1)
    const { body } = render(ImportBar, { props: { receiving, connection: 'online' } })
    expect(body.includes('What is imported')).toBe(isOffered)
  })
})

describe('the question who signs the day', () => {
  it('says why the day could not be signed', () => {
    const day = new Day(createClient(createFakeWire().wire), '2026-11-21')
    const props = { day, report: dayReport({}), left: null, onsigned: () => undefined, onclose: () => undefined }
    expect(render(SignDialog, { props }).body).not.toContain('alert')
    day.signError = { code: 'store/not-saved' }
    expect(render(SignDialog, { props }).body).toContain('alert')
  })
})
