import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDataFile } from '../../src-practice/data-file'
import { parseTable } from '../../src-shared/csv/read'
import { type Report, reportsOf, writeHour } from './hour-script'
import { Till, orderPrefix } from './hour-till'
import { codes, expect, idIn, test } from './station'

const data = parseDataFile(readFileSync(join(import.meta.dirname, '../../resources/practice/store.json'), 'utf8'))
if (!data.ok) throw new Error(data.error)
const cases = data.value.collections.filter((one) => one.collection_type === 'case')
const contents = cases.map(({ uuid, name, members }) => ({
  uuid,
  product: name.replace('Case of ', ''),
  items: members.map((member) => (typeof member === 'string' ? member : member.tag_id)),
}))
const itemsOf = (caseId: string) => contents.find(({ uuid }) => uuid === caseId)?.items ?? []
const productOf = new Map(contents.flatMap(({ product, items }) => items.map((id) => [id, product])))

const palisades = '6TuJfYWL3NTrbHkPkozawk'
const blueDune = idIn(codes.caseToImport)
const preRolls = 'Y45gxoSwLrmqnijFUfZsxa'
const houseFlower = 'XUE3ZUVASCi3bUKjbNTXd7'

const hour = writeHour(20_261_121, {
  stock: [palisades, blueDune, preRolls].flatMap(itemsOf),
  uncased: itemsOf(houseFlower),
})
const ledger = reportsOf(hour)
const isSale = ({ kind }: Report) => kind === 'complete'

/** Sorted, so that the order doesn't depend on which of eight lanes was fastest. */
const sorted = (reports: (Omit<Report, 'kind'> & { kind: string })[]) =>
  reports.map(({ kind, orderId, items }) => `${orderId} ${kind} ${[...items].sort().join(' ')}`).sort()

/** The words of the file. */
const kindOf = new Map([
  ['Sale', 'complete'],
  ['Return', 'return'],
  ['Void', 'void'],
])

const tally = (kind: Report['kind']) => {
  const those = ledger.filter((one) => one.kind === kind)
  return { orders: those.length, items: those.reduce((sum, { items }) => sum + items.length, 0) }
}

/** Not in `npm test`: runs with `npm run test:e2e`, and in CI. */
const long = { tag: '@long' }

test.use({ actionTimeout: 10_000 })

test('the script of the hour covers 60 sales, 8 returns, 5 voids, 3 holds, 2 outages and items sold twice', () => {
  const count = (what: string) => hour.filter((step) => step.do === what).length
  expect([tally('complete').orders, tally('return').orders, tally('void').orders]).toEqual([60, 8, 5])
  expect(['hold', 'resume', 'network goes'].map(count)).toEqual([3, 3, 2])
  expect(['sell through a restart', 'sell what is not imported'].map(count)).toEqual([1, 1])
  const sold = ledger.filter(isSale).flatMap(({ items }) => items)
  expect(new Set(sold).size).toBeLessThan(sold.length)
  // Some voided orders were partly returned before: those voids cover the rest.
  const voided = ledger.filter(({ kind }) => kind === 'void').map(({ orderId }) => orderId)
  expect(ledger.filter(({ kind, orderId }) => kind === 'return' && voided.includes(orderId)).length).toBeGreaterThan(0)
})

test(
  'an hour at the counter: the closing report, the file and the service agree with the script',
  long,
  async ({ counter, station }) => {
    test.setTimeout(120_000)
    const { page } = counter
    const till = new Till(counter, station)

    await test.step('in the morning: the order number prefix, and two cases for the shelf', async () => {
      await counter.settings('Scanners')
      await counter.field('Order numbers begin with').fill(orderPrefix)
      await counter.button('Save prefixes').press('Enter')
      await till.says('Saved')
      await counter.go('Receiving')
      await counter.scan(codes.package)
      for (const caseId of [blueDune, preRolls]) {
        await counter.scan(`https://tag.example/case/${caseId}`)
        await till.importOpenCase(productOf.get(itemsOf(caseId)[0] ?? '') ?? '')
      }
      await counter.go('Checkout')
    })

    for (const step of hour) {
      await test.step('orderId' in step ? `${step.do}: order ${step.orderId}` : step.do, () => till.take(step))
    }

    await test.step('closing: the screen', async () => {
      await counter.go('Orders')
      const voids = tally('void').orders
      for (const state of ['All 60', `Reported ${60 - voids}`, `Voided ${voids}`, 'To send 0', 'Needs attention 0']) {
        await expect(page.getByRole('radio', { name: state, exact: true })).toBeVisible()
      }
      await page.keyboard.press('Control+Enter')
      await expect(
        page.getByText(`Everything is with the service. It has taken ${ledger.length} sales, returns and voids`),
      ).toBeVisible()
      const [completed, returned, voided] = [tally('complete'), tally('return'), tally('void')]
      const rows = [
        `Completed ${completed.orders} ${completed.items}`,
        `Returned ${returned.orders} ${returned.items}`,
        `Voided ${voided.orders} ${voided.items}`,
        `Not set ${completed.orders} ${completed.items} ${returned.items} ${voided.items}`,
      ]
      for (const name of rows) await expect(page.getByRole('row', { name, exact: true })).toBeVisible()
      const products = page.getByRole('table', { name: 'By product', exact: true })
      for (const [name, { sold, back, gone }] of byProduct()) {
        await expect(products.getByRole('row', { name }).getByRole('cell')).toHaveText([
          // The bar.
          '',
          `${sold}`,
          `${back}`,
          `${gone}`,
        ])
      }
      await expect(page.getByText(/on hold|in Checkout, not reported/)).toBeHidden()
    })

    await test.step('closing: the file', async () => {
      const saving = page.waitForEvent('download')
      await counter.button('Download CSV').press('Enter')
      const { header, rows } = parseTable(readFileSync(await (await saving).path(), 'utf8'))
      const cell = (cells: string[], name: string) => cells[header?.cells.indexOf(name) ?? -1] ?? ''
      // One line an item.
      const reports = Map.groupBy(rows, ({ cells }) => `${cell(cells, 'Order')} ${kindOf.get(cell(cells, 'Report'))}`)
      expect(rows.every(({ cells }) => cell(cells, 'Status') === 'Reported')).toBe(true)
      const filed = [...reports].map(([report, lines]) =>
        [report, ...lines.map(({ cells }) => cell(cells, 'TagID')).sort()].join(' '),
      )
      expect(filed.sort()).toEqual(sorted(ledger))
    })

    await test.step('the service has exactly those reports, each once, and nothing is waiting', async () => {
      const held = await station.knobs.transactions()
      expect(sorted(held.map(({ kind, orderId, tagIds }) => ({ kind, orderId, items: tagIds })))).toEqual(
        sorted(ledger),
      )
      expect((await station.knobs.imports()).map(({ caseId }) => caseId)).toEqual(
        expect.arrayContaining([blueDune, preRolls, houseFlower]),
      )
      await expect(page.getByText('Nothing to send')).toBeVisible()
    })
  },
)

function byProduct() {
  const rows = new Map<string, { sold: number; back: number; gone: number }>()
  const columnOf = { complete: 'sold', return: 'back', void: 'gone' } as const
  for (const { kind, items } of ledger) {
    for (const id of items) {
      const name = productOf.get(id) ?? ''
      const row = rows.get(name) ?? { sold: 0, back: 0, gone: 0 }
      row[columnOf[kind]]++
      rows.set(name, row)
    }
  }
  return rows
}
