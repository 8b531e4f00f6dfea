import { describe, expect, it } from 'vitest'
import { say } from '../../../src-renderer/text/text.svelte'
import { Catalogue, faultText } from '../../../src-renderer/receiving/catalogue/catalogue.svelte'
import { createClient } from '../../../src-shared/ipc/client'
import { CataloguePart } from '../../../src-shared/ipc/contract/receiving'
import { at } from './examples'
import { type Asked, createFakeWire } from './fake-wire'

const file = (content: string | Uint8Array<ArrayBuffer>, name = 'menu.csv') => new File([content], name)
const header = 'Metrc Tag,Product Name,Product ID,Inventory ID,SKU\n'
const lines = (count: number) => Array.from({ length: count }, (_, at) => `P${at},Name ${at},ID${at},INV${at},S${at}\n`)

async function opened(content: string | Uint8Array<ArrayBuffer>) {
  const { catalogue } = create()
  await catalogue.choose(file(content))
  if (!catalogue.file) throw new Error(catalogue.problem?.problem.code)
  return catalogue.file
}

function create() {
  const fake = createFakeWire()
  return { fake, catalogue: new Catalogue(createClient(fake.wire), () => undefined) }
}

const partOf = ({ input }: Asked) => CataloguePart.parse(input)

describe('a catalogue file', () => {
  it('proposes the use of each column, which a person can change', async () => {
    const found = await opened(header + lines(2).join(''))
    expect(found.mapping).toEqual({ packageUid: 0, productName: 1, posProductId: 2, posInventoryId: 3, sku: 4 })
    found.map('posProductId', 4)
    expect(found.mapped.rows[0]?.posProductId).toBe('S0')
    found.map('sku', null)
    expect([found.mapped.rows[0]?.sku, found.mapping.sku, found.mapping.posProductId]).toEqual([null, null, 4])
  })

  it('without a header row finds the tags, asks which column is which, and shows an example from each', async () => {
    const found = await opened('1A40E0300000B2F000000001,Blue Dune,12345\n1A40E0300000B2F000000002,Dune 2,12346\n')
    expect([found.table.header, found.obstacle, found.columns[2]?.example]).toEqual([null, 'no-product-id', '12345'])
    expect(found.mapping.packageUid).toBe(0)
    found.map('posProductId', 2)
    found.map('packageUid', null)
    expect(found.obstacle).toBe('nothing-to-match')
    found.map('packageUid', 0)
    expect([found.obstacle, found.mapped.rows.length]).toEqual([null, 2])
  })

  it.each([
    ['empty', '', 'csv/empty'],
    ['blanks and line ends', ' \r\n\r\n ', 'csv/empty'],
    ['xlsx', new Uint8Array([0x50, 0x4b, 3, 4, 20, 0]), 'csv/workbook'],
    ['xls', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 1]), 'csv/workbook'],
    ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 0, 1]), 'csv/binary'],
  ])('is refused if it is not a CSV: %s', async (_name, content, code) => {
    const { catalogue } = create()
    await catalogue.choose(file(content))
    expect([catalogue.file, catalogue.problem]).toEqual([null, { name: 'menu.csv', problem: { code } }])
  })

  it('is refused if it can’t be read', async () => {
    const gone = {
      name: 'gone.csv',
      slice: () => Object.assign(new Blob(), { arrayBuffer: () => Promise.reject(new Error('gone')) }),
    }
    const { catalogue } = create()
    await catalogue.choose(gone)
    const problem = { name: 'gone.csv', problem: { code: 'file/unreadable' } }
    expect([catalogue.file, catalogue.problem]).toEqual([null, problem])
  })

  it('says what to do if it can’t be loaded: only a header, no usable row, no matching columns', async () => {
    expect((await opened(header)).obstacle).toBe('no-lines')
    expect((await opened(`${header}P,Name,,,\n`)).obstacle).toBe('no-usable-line')
    expect((await opened('Colour,Size\nred,3\n')).obstacle).toBe('no-product-id')
  })

  it('is read in another encoding, and the guess is marked', async () => {
    // One byte per character.
    const latin = Uint8Array.from(`${header}P,Jalapeño,7,8,9\n`, (one) => one.charCodeAt(0))
    const found = await opened(latin)
    expect([found.encoding.guess, found.mapped.rows[0]?.productName]).toEqual(['windows-1252', 'Jalapeño'])
  })

  it('is read as a person says: preview and rows follow, and what was matched stays where the columns are the same', async () => {
    const { catalogue } = create()
    // A Mac's ñ.
    await catalogue.choose(
      file(Uint8Array.from(`SKU;Name;Product ID\n9,5;Jalape\x96o;7\n`, (one) => one.charCodeAt(0))),
    )
    expect(catalogue.file?.delimiter).toEqual({ guess: ';', value: ';', choices: [';'] })
    catalogue.map('sku', null)
    catalogue.map('productName', 1)
    await catalogue.readAgain({ encoding: 'macintosh' })
    expect([catalogue.file?.preview[0], catalogue.file?.mapped.rows[0]?.productName]).toEqual([
      ['9,5', 'Jalapeño', '7'],
      'Jalapeño',
    ])
    expect(catalogue.file?.mapping).toMatchObject({ sku: null, productName: 1 })
    await catalogue.readAgain({ delimiter: ',' })
    expect([catalogue.file?.columns[0]?.name, catalogue.file?.preview[0]]).toEqual(['SKU;Name;Product ID', ['9']])
    expect([catalogue.file?.encoding.value, catalogue.file?.mapping.productName, catalogue.isReady]).toEqual([
      'macintosh',
      null,
      false,
    ])
    // Another file is recognized anew.
    await catalogue.choose(file(header + lines(2).join('')))
    expect([catalogue.file?.delimiter.value, catalogue.file?.encoding.value]).toEqual([',', 'utf-8'])
  })

  it('that is being read again can’t be loaded meanwhile', async () => {
    const { fake, catalogue } = create()
    await catalogue.choose(file(`${header}P,Jalapeño,7,8,9\n`))
    expect(catalogue.isReady).toBe(true)
    const reading = catalogue.readAgain({ encoding: 'windows-1252' })
    expect([catalogue.isReady, catalogue.name, await catalogue.load(), fake.asked]).toEqual([
      false,
      'menu.csv',
      false,
      [],
    ])
    await reading
    expect([catalogue.isReady, catalogue.file?.mapped.rows[0]?.productName]).toEqual([true, 'JalapeÃ±o'])
  })

  it('is read with 60,000 lines, with line, column and reason for each error', async () => {
    const bad = [',Name,,,\n', `P,${'x'.repeat(101)},1,,\n`, 'P,two\n', 'P,"open,1,,\n']
    const found = await opened(header + lines(60_000).join('') + bad.join(''))
    expect([found.mapped.rows.length, found.obstacle]).toEqual([60_000, null])
    expect(found.mapped.errors.map((fault) => `${fault.line}: ${say(faultText(fault))}`)).toEqual([
      '60002: POS product ID is empty',
      expect.stringContaining('60003: Product name is longer than 100 characters: xxx'),
      '60004: Has 2 cells, not as many as there are columns',
      expect.stringContaining('60005: A quotation mark is not closed'),
    ])
  })
})

describe('loading a catalogue', () => {
  it('sends parts of 300 rows in order, and ends with what is loaded', async () => {
    const { fake, catalogue } = create()
    await catalogue.choose(file(header + lines(650).join('')))
    const loading = catalogue.load()
    for (const [start, count, isLast] of [
      [0, 300, false],
      [300, 300, false],
      [600, 50, true],
    ] as const) {
      expect(catalogue.sent).toBe(start)
      const asked = fake.next('receiving.loadCatalogue')
      const part = partOf(asked)
      expect([part.start, part.rows.length, part.isLast, part.rows[0]?.line]).toEqual([start, count, isLast, start + 2])
      await asked.answer(isLast ? { fileName: 'menu.csv', loadedAt: at, rows: 650 } : null)
    }
    await loading
    expect([catalogue.sent, catalogue.isDone, catalogue.loaded?.rows, catalogue.file]).toEqual([null, true, 650, null])
  })

  it('says why it failed, keeps the file and can be tried again', async () => {
    const { fake, catalogue } = create()
    await catalogue.choose(file(header + lines(650).join('')))
    const loading = catalogue.load()
    await fake.next('receiving.loadCatalogue').answer(null)
    await fake.next('receiving.loadCatalogue').refuse({ code: 'receiving/catalogue-broken' })
    await loading
    expect([catalogue.error?.code, catalogue.sent, catalogue.file?.mapped.rows.length]).toEqual([
      'receiving/catalogue-broken',
      null,
      650,
    ])
    void catalogue.load()
    expect(partOf(fake.next('receiving.loadCatalogue')).start).toBe(0)
  })

  it('ends when the screen is closed', async () => {
    const { fake, catalogue } = create()
    await catalogue.choose(file(header + lines(650).join('')))
    const loading = catalogue.load()
    catalogue.close()
    await fake.next('receiving.loadCatalogue').answer(null)
    await loading
    expect(fake.asked).toEqual([])
  })

  it('shows the file that was chosen last, and why it can’t be used', async () => {
    const { catalogue } = create()
    const first = catalogue.choose(file(header + lines(1).join(''), 'first.csv'))
    const second = catalogue.choose(file('', 'second.csv'))
    await Promise.all([first, second])
    expect([catalogue.file, catalogue.problem]).toEqual([null, { name: 'second.csv', problem: { code: 'csv/empty' } }])
  })

  it('announces a new catalog when its last part is answered, even with the screen closed, and when the catalog is forgotten', async () => {
    const fake = createFakeWire()
    let changes = 0
    const catalogue = new Catalogue(createClient(fake.wire), () => changes++)
    await catalogue.choose(file(header + lines(301).join('')))
    const loading = catalogue.load()
    await fake.next('receiving.loadCatalogue').answer(null)
    expect(changes).toBe(0)
    catalogue.close()
    // The answer is lost, but main has loaded the catalog.
    await fake.next('receiving.loadCatalogue').disconnect()
    await loading
    expect(changes).toBe(1)
    const forgetting = catalogue.forget()
    await fake.next('receiving.forgetCatalogue').answer(null)
    await forgetting
    expect(changes).toBe(2)
  })

  it('forgets the catalog, or says why not', async () => {
    const { fake, catalogue } = create()
    const looked = catalogue.look()
    await fake.next('receiving.catalogue').answer({ fileName: 'menu.csv', loadedAt: at, rows: 3 })
    await looked
    const refused = catalogue.forget()
    await fake.next('receiving.forgetCatalogue').refuse({ code: 'store/not-saved' })
    await refused
    expect([catalogue.loaded?.rows, catalogue.error?.code]).toEqual([3, 'store/not-saved'])
    const forgotten = catalogue.forget()
    await fake.next('receiving.forgetCatalogue').answer(null)
    await forgotten
    expect([catalogue.loaded, catalogue.error]).toEqual([null, null])
  })
})
