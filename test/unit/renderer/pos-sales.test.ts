import { describe, expect, it } from 'vitest'
import { PosSales, salesFaultText } from '../../../src-renderer/orders/pos/pos-sales.svelte'
import type { OpenReader } from '../../../src-renderer/orders/pos/reader-port'
import { createSalesReader } from '../../../src-renderer/orders/pos/sales-reader'
import { mostSalesLines } from '../../../src-shared/csv/sales-rows'
import { createClient } from '../../../src-shared/ipc/client'
import { PosDayPart, PosDayView } from '../../../src-shared/ipc/contract/pos-day'
import { say } from '../../../src-renderer/text/text.svelte'
import { type Asked, createFakeWire } from './fake-wire'

const day = '2026-11-21'
const header = 'Order,Date,Product,Qty,Status\n'
const line = (orderId: string, date = day, status = '') => `${orderId},${date},Blue Dune,1,${status}\n`
const file = (content: string | Uint8Array<ArrayBuffer>, name = 'sales.csv') => new File([content], name)
const partOf = ({ input }: Asked) => PosDayPart.parse(input)

const view = PosDayView.parse({
  ...{ day, revision: 1, file: null, state: 'comparing', done: 0, matched: 0, pending: 0, reasoned: 0 },
  open: { 'only-pos': 0, 'only-here': 0, count: 0, 'voided-pos': 0, 'voided-here': 0 },
  ...{ unknown: [], unknownCount: 0, untracked: [], tracked: [], store: null, isSettled: false },
})

/** The real reader, in this process instead of a worker. Each message passes as a copy. */
function readerHere() {
  let isClosed = false
  let fail: () => void = () => undefined
  const asked: string[] = []
  const open: OpenReader = (answered, failed) => {
    fail = failed
    const read = createSalesReader((message) => {
      if (!isClosed) answered(structuredClone(message))
    })
    return {
      ask(message) {
        asked.push(message.kind)
        void read(message)
      },
      close() {
        isClosed = true
      },
    }
  }
  return { open, asked, fail: () => fail(), isClosed: () => isClosed }
}

async function chosen(content: string | Uint8Array<ArrayBuffer>) {
  const fake = createFakeWire()
  const reader = readerHere()
  const loaded: string[] = []
  const client = createClient(fake.wire)
  const sales = new PosSales(file(content), { client, day, open: reader.open, onLoaded: (one) => loaded.push(one) })
  await expect.poll(() => sales.isReading).toBe(false)
  return { fake, reader, loaded, sales }
}

describe('a file of the POS’s sales', () => {
  it('counts no refund as a sale because its column was not matched: a person matches or ignores it first', async () => {
    const content = `Order,Date,Product,Qty,Kind\n1,${day},A,1,Sale\n2,${day},A,1,Refund\n`
    const { sales } = await chosen(content)
    expect([sales.obstacle, sales.summary]).toEqual(['unmatched-status', null])
    sales.matchOther()
    await expect.poll(() => sales.summary?.rowCount).toBe(2)
    expect([sales.mapping?.status, sales.obstacle]).toEqual([4, null])
    const { sales: other } = await chosen(content)
    other.ignoreOther()
    await expect.poll(() => other.summary?.rowCount).toBe(2)
    expect([other.mapping?.status, other.obstacle]).toEqual([null, null])
  })

  it('asks about each column that names a refund: to ignore one is no answer about the next', async () => {
    const { sales } = await chosen(`Order,Date,Product,Comment,Kind\n1,${day},A,refund slip,Sale\n2,${day},A,,Refund\n`)
    expect(sales.survey?.unmatchedStatus?.at).toBe(3)
    sales.ignoreOther()
    await expect.poll(() => sales.survey?.unmatchedStatus?.at).toBe(4)
    expect([sales.obstacle, sales.summary]).toEqual(['unmatched-status', null])
    // What was said of a column stays said when another one is matched.
    sales.matchOther()
    await expect.poll(() => sales.summary?.rowCount).toBe(2)
    expect([sales.obstacle, sales.mapping?.status]).toEqual([null, 4])
  })

  it('is read again as a person says; only the newest reading counts, also for what is matched meanwhile', async () => {
    const { sales, reader } = await chosen(`Order;Date;Product\n1;${day};Jalapeño, mild\n2;${day};Piña, ripe\n`)
    expect([sales.opened?.delimiter.value, sales.summary?.rowCount]).toEqual([';', 2])
    sales.readAs({ delimiter: ',' })
    sales.readAs({ delimiter: ';', encoding: 'windows-1252' })
    sales.map('productName', null)
    expect([sales.isReady, sales.isReading]).toEqual([false, true])
    await expect.poll(() => sales.isReading).toBe(false)
    expect(sales.opened?.preview[0]).toEqual(['1', day, 'JalapeÃ±o, mild'])
    expect([sales.mapping?.productName, sales.mapping?.orderId, sales.isReady]).toEqual([null, 0, true])
    expect(reader.asked.filter((kind) => kind === 'open')).toHaveLength(3)
    sales.readAs({ delimiter: ',' })
    await expect.poll(() => sales.isReading).toBe(false)
    expect([sales.opened?.columns.length, sales.isReady]).toEqual([1, false])
  })

  it('proposes the columns, reads the day, and says what is left out', async () => {
    const { sales } = await chosen(header + line('1') + line('2', '2026-11-20') + line('', day))
    expect(sales.mapping).toMatchObject({ orderId: 0, date: 1, productName: 2, quantity: 3, status: 4, voided: null })
    expect([sales.obstacle, sales.summary?.rowCount, sales.summary?.lines]).toEqual([null, 1, 1])
    expect(sales.summary?.days).toEqual([
      { day, lines: 2 },
      { day: '2026-11-20', lines: 1 },
    ])
    expect(sales.summary?.faults.map((fault) => say(salesFaultText(fault)))).toEqual(['Order number is empty'])
  })

  it.each([
    ['empty', '', 'csv/empty'],
    ['a workbook', new Uint8Array([0x50, 0x4b, 3, 4]), 'csv/workbook'],
    ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 1]), 'csv/binary'],
    ['a million lines', `Order\n${'1\n'.repeat(1_000_000)}`, 'csv/too-many-lines'],
  ])('is refused: %s', async (_name, content, code) => {
    const { sales } = await chosen(content)
    expect([sales.problem, sales.opened, sales.summary]).toEqual([{ code }, null, null])
  })

  it('with the most lines allowed is read', async () => {
    const { sales } = await chosen(`Order\n${'1\n'.repeat(mostSalesLines - 1)}`)
    expect([sales.problem, sales.summary?.lines]).toEqual([null, mostSalesLines - 1])
  })

  it('that can’t be read any more, or whose reader breaks down, is said to be so', async () => {
    const gone = {
      name: 'gone.csv',
      slice: () => Object.assign(new Blob(), { arrayBuffer: () => Promise.reject(new Error('gone')) }),
    }
    const reader = readerHere()
    const parts = { client: createClient(createFakeWire().wire), day, open: reader.open, onLoaded: () => undefined }
    const sales = new PosSales(gone, parts)
    await expect.poll(() => sales.problem).toEqual({ code: 'file/unreadable' })
    const { sales: other, reader: broken } = await chosen(header + line('1'))
    broken.fail()
    expect([other.problem, other.isReading, broken.isClosed()]).toEqual([{ code: 'file/broken' }, false, true])
  })

  it('asks for the order number, and reads again with the column that is chosen', async () => {
    const { sales } = await chosen('Nr,Thing\n7,Blue Dune\n')
    expect(sales.obstacle).toBe('no-order')
    sales.map('orderId', 0)
    await expect.poll(() => sales.summary?.rowCount).toBe(1)
    sales.map('productName', 1)
    await expect.poll(() => sales.isReading).toBe(false)
    expect([sales.obstacle, sales.summary?.rowCount]).toEqual([null, 1])
  })

  it('asks what its dates and its words mean, and is read only then', async () => {
    const { sales, reader } = await chosen(header + line('1', '12/11/2026', 'Parked') + line('2', '11/12/2026', 'Sale'))
    expect(sales.obstacle).toBe('date-order')
    expect(reader.asked).not.toContain('read')
    sales.chooseOrder('month-first')
    expect(sales.obstacle).toBe('words')
    sales.mean('parked', 'left-out')
    await expect.poll(() => sales.summary).not.toBeNull()
    expect(sales.obstacle).toBe('other-days')
    sales.chooseDay('2026-12-11')
    await expect.poll(() => sales.summary?.skipped).toBe(1)
    expect(sales.obstacle).toBe('no-usable-line')
    sales.chooseDay('2026-11-12')
    await expect.poll(() => sales.summary?.rowCount).toBe(1)
    expect(sales.obstacle).toBeNull()
  })

  it('doesn’t ask for the order of dates of which each has only one', async () => {
    const { sales } = await chosen(header + line('1', '11/21/2026') + line('2', '21/11/2026'))
    expect([sales.obstacle, sales.summary?.rowCount]).toEqual([null, 2])
  })

  it('says which column is no status, that there are no lines, and that none can be used', async () => {
    const words = Array.from({ length: 14 }, (_, n) => line(String(n), day, `note ${n}`)).join('')
    expect((await chosen(header + words)).sales.obstacle).toBe('not-a-status')
    const flags = Array.from({ length: 14 }, (_, n) => `${n},Blue Dune,Sale,note ${n}\n`).join('')
    expect((await chosen(`Order,Product,Status,Voided\n${flags}`)).sales.obstacle).toBe('not-voided')
    expect((await chosen(header)).sales.obstacle).toBe('no-lines')
    expect((await chosen(header + line(''))).sales.obstacle).toBe('no-usable-line')
  })
})

describe('loading the sales', () => {
  it('sends parts of 500 rows, only of the matched columns, then shows the day', async () => {
    const content = header + Array.from({ length: 1_100 }, (_, n) => line(`A${n}`)).join('')
    const { fake, sales, loaded } = await chosen(content)
    const loading = sales.load()
    for (const [start, count, isLast] of [
      [0, 500, false],
      [500, 500, false],
      [1_000, 100, true],
    ] as const) {
      await expect.poll(() => fake.asked.length).toBe(1)
      const asked = fake.next('posDay.load')
      const part = partOf(asked)
      expect([sales.sent, part.start, part.rows.length, part.isLast]).toEqual([start, start, count, isLast])
      expect(part.file).toMatchObject({ fileName: 'sales.csv', lines: 1_100, hasProducts: true })
      await asked.answer(isLast ? view : null)
    }
    await loading
    expect([loaded, sales.sent, sales.error]).toEqual([[day], null, null])
  })

  it('sends fewer rows if they are long: a message has its limit', async () => {
    const name = 'x'.repeat(100)
    const content = `Order,Product,SKU\n${Array.from({ length: 500 }, (_, n) => `${name.slice(4)}${n},${name},${name}\n`).join('')}`
    const { fake, sales } = await chosen(content)
    const loading = sales.load()
    await expect.poll(() => fake.asked.length).toBe(1)
    const first = fake.next('posDay.load')
    const { rows } = partOf(first)
    expect([rows.length > 200, rows.length < 400]).toEqual([true, true])
    await first.answer(null)
    await expect.poll(() => fake.asked.length).toBe(1)
    const second = fake.next('posDay.load')
    expect(partOf(second).start).toBe(rows.length)
    await second.answer(view)
    await loading
  })

  it('takes no choice while it sends: all parts are of one reading', async () => {
    const parked = Array.from({ length: 600 }, (_, n) => line(`A${n}`, '11/12/2026', 'Parked')).join('')
    const { fake, sales, reader, loaded } = await chosen(header + parked + line('B', '12/11/2026'))
    sales.chooseOrder('month-first')
    sales.mean('parked', 'sold')
    sales.chooseDay('2026-11-12')
    await expect.poll(() => sales.summary?.rowCount).toBe(600)
    const loading = sales.load()
    await expect.poll(() => fake.asked.length).toBe(1)
    const reads = () => reader.asked.filter((one) => one === 'read').length
    const before = reads()
    sales.chooseOrder('day-first')
    sales.mean('parked', 'left-out')
    sales.chooseDay('2026-12-11')
    sales.map('sku', 2)
    expect([sales.dateOrder, sales.meanings, sales.day, reads() - before]).toEqual([
      ...['month-first', { parked: 'sold' }, '2026-11-12', 0],
    ])
    await fake.next('posDay.load').answer(null)
    await expect.poll(() => fake.asked.length).toBe(1)
    const last = fake.next('posDay.load')
    expect(partOf(last)).toMatchObject({ day: '2026-11-12', start: 500, rows: { length: 100 }, isLast: true })
    await last.answer(view)
    await loading
    expect(loaded).toEqual(['2026-11-12'])
  })

  it('ends if the reader has fewer rows than it said', async () => {
    const reader = readerHere()
    const fake = createFakeWire()
    const open: OpenReader = (answered, failed) =>
      reader.open(
        (message) => answered(message.kind === 'rows' && message.from > 0 ? { ...message, rows: [] } : message),
        failed,
      )
    const parts = { client: createClient(fake.wire), day, open, onLoaded: () => undefined }
    const sales = new PosSales(file(header + Array.from({ length: 700 }, (_, n) => line(`A${n}`)).join('')), parts)
    await expect.poll(() => sales.summary?.rowCount).toBe(700)
    const loading = sales.load()
    await expect.poll(() => fake.asked.length).toBe(1)
    await fake.next('posDay.load').answer(null)
    await loading
    expect([sales.error?.code, sales.sent, fake.asked.length]).toEqual(['pos-day/broken', null, 0])
  })

  it('says why it failed, and can be tried again', async () => {
    const { fake, sales, loaded } = await chosen(header + line('1'))
    const loading = sales.load()
    await expect.poll(() => fake.asked.length).toBe(1)
    await fake.next('posDay.load').refuse({ code: 'pos-day/broken' })
    await loading
    expect([sales.error?.code, sales.sent, loaded]).toEqual(['pos-day/broken', null, []])
    const again = sales.load()
    await expect.poll(() => fake.asked.length).toBe(1)
    await fake.next('posDay.load').answer(view)
    await again
    expect(loaded).toEqual([day])
  })

  it('stops when it is canceled, and ends the reader', async () => {
    const { fake, sales, reader, loaded } = await chosen(
      header + Array.from({ length: 700 }, (_, n) => line(`${n}`)).join(''),
    )
    const loading = sales.load()
    await expect.poll(() => fake.asked.length).toBe(1)
    sales.close()
    await fake.next('posDay.load').answer(null)
    await loading
    expect([fake.asked.length, reader.isClosed(), loaded]).toEqual([0, true, []])
  })
})
