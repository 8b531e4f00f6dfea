import { describe, expect, it } from 'vitest'
import { parseTable } from '../../../src-shared/csv/read'
import { ManifestId, PackageUid } from '../../../src-shared/ids'
import { createClient } from '../../../src-shared/ipc/client'
import {
  type ManifestLine,
  ManifestPart,
  type ManifestSums,
  type ManifestView,
  mostManifestLines,
} from '../../../src-shared/ipc/contract/manifest'
import { differencesFile } from '../../../src-renderer/receiving/manifest/manifest-csv'
import {
  ManifestLoading,
  faultTextOf,
  leftOutTitle,
} from '../../../src-renderer/receiving/manifest/manifest-file.svelte'
import {
  amountOf,
  finishTexts,
  stateChip,
  sumText,
  sumTone,
} from '../../../src-renderer/receiving/manifest/manifest-text'
import { Manifest } from '../../../src-renderer/receiving/manifest/manifest.svelte'
import { language, say } from '../../../src-renderer/text/text.svelte'
import { createReceiving, readyPackage, receivingPackage, uid } from './deliveries'
import { at, caseId, productId } from './examples'
import { createFakeWire } from './fake-wire'

const manifestId = ManifestId.parse('9af49740-96f5-40ee-9e25-02420ae59635')
const other = ManifestId.parse('9af49740-96f5-40ee-9e25-02420ae59636')
const nothing: ManifestSums = {
  ...{ packages: 0, here: 0, missing: 0, unread: 0, short: 0, over: 0, otherProduct: 0, extra: 0 },
  ...{ partly: 0, proposed: 0 },
  isComplete: false,
}
const sums = (values: Partial<ManifestSums>): ManifestSums => ({ ...nothing, ...values })
const packageUid = (n: number) => PackageUid.parse(`1A40603000200810000${String(n).padStart(5, '0')}`)
const line = (number: number, values: Partial<ManifestLine> = {}): ManifestLine => ({
  ...{ line: number, lines: 1, productName: `Product ${number}`, sku: null, posProductId: null, count: 24 },
  ...{ state: { kind: 'missing' }, found: null, isCounted: false, matched: null },
  ...values,
})
const inPackage = (n: number, values: Partial<ManifestLine> = {}) => {
  const own = line(n, values)
  return { packageUid: packageUid(n), state: own.state, lines: [own] }
}
const view = (values: Partial<ManifestView> = {}): ManifestView => ({
  manifest: {
    ...{ id: manifestId, fileName: 'order.csv', loadedAt: at, deliveryId: null, leftOut: 0 },
    sums: sums({ packages: 2, missing: 2 }),
  },
  ...{ isWhole: true, packages: [inPackage(1), inPackage(2)], extras: [], undoable: null, revision: 1 },
  ...values,
})

function create() {
  const fake = createFakeWire()
  const manifest = new Manifest(createClient(fake.wire))
  manifest.changed(view())
  return { fake, manifest }
}

describe('a manifest on the screen', () => {
  it('replaces what changed and leaves the rest', () => {
    const { manifest } = create()
    const [, second] = manifest.packages
    manifest.changed(
      view({ isWhole: false, packages: [inPackage(1, { state: { kind: 'here' }, found: 24 })], revision: 2 }),
    )
    expect(manifest.packages.map(({ state }) => state.kind)).toEqual(['here', 'missing'])
    expect(manifest.packages[1]).toBe(second)
    expect(manifest.of(packageUid(1))?.state.kind).toBe('here')
  })

  it('keeps the event that overtook its answer', async () => {
    const fake = createFakeWire()
    const manifest = new Manifest(createClient(fake.wire))
    const loading = manifest.load()
    manifest.changed(view({ revision: 5 }))
    await fake.next('receiving.manifest').answer(view({ packages: [], revision: 4 }))
    await loading
    expect(manifest.packages).toHaveLength(2)
  })

  it('lists its lines, then what is extra; or only what differs', () => {
    const { manifest } = create()
    manifest.changed(
      view({
        packages: [inPackage(1, { state: { kind: 'here' } }), inPackage(2)],
        extras: [{ kind: 'package', packageUid: packageUid(9), count: null }],
      }),
    )
    const kinds = () => manifest.items.map(({ kind, key }) => `${kind} ${key}`)
    expect(kinds()).toEqual(['line line 1', 'line line 2', 'extras extras', `extra extra ${packageUid(9)} `])
    manifest.isOpenOnly = true
    expect(kinds().slice(0, 1)).toEqual(['line line 2'])
    expect(manifest.isExtra(packageUid(9))).toBe(true)
    expect(manifest.isExtra(packageUid(1))).toBe(false)
  })

  it('is removed, put in force again and matched, each once, and says why it was refused', async () => {
    const { fake, manifest } = create()
    const removing = manifest.remove()
    void manifest.remove()
    const asked = fake.next('receiving.removeManifest')
    expect([asked.input, fake.asked]).toEqual([{ manifestId }, []])
    await asked.refuse({ code: 'receiving/no-manifest' })
    expect([await removing, manifest.steps.error?.code]).toEqual([false, 'receiving/no-manifest'])

    manifest.changed(view({ undoable: { manifestId: other, fileName: 'old.csv', how: 'replaced' } }))
    const restoring = manifest.restore()
    expect(fake.next('receiving.restoreManifest')).toMatchObject({ input: { manifestId: other } })
    expect(manifest.steps.isBusy).toBe(true)
    void restoring
  })

  it('says which product a line means', async () => {
    const { fake, manifest } = create()
    const matching = manifest.match(line(2), productId(1))
    const asked = fake.next('receiving.matchManifest')
    expect(asked.input).toEqual({ manifestId, line: 2, productId: productId(1) })
    await asked.answer(null)
    expect([await matching, manifest.steps.error]).toEqual([true, null])
  })
})

describe('a product that a line probably means', () => {
  const instead = [{ productId: productId(1), productName: 'Blue Dune, 3.5 g', count: 24 }]
  const proposal = { productId: productId(1), productName: 'Blue Dune, 3.5 g', count: 24, by: 'prefix' as const }
  const proposed = (n: number) =>
    inPackage(n, {
      ...{ productName: 'M00001234: Blue Dune, 3.5 g', proposal },
      state: { kind: 'other-product', instead },
    })

  it('is asked about one at a time, and confirmed like any match', async () => {
    const { fake, manifest } = create()
    expect(manifest.proposal).toBeNull()
    manifest.changed(view({ packages: [inPackage(1), proposed(2), proposed(3)], revision: 2 }))
    const [first] = [manifest.proposal]
    expect(first?.line.line).toBe(2)
    const confirming = first && manifest.confirm(first)
    const asked = fake.next('receiving.matchManifest')
    expect(asked.input).toEqual({ manifestId, line: 2, productId: productId(1) })
    await asked.answer(null)
    expect(await confirming).toBe(true)
  })

  it('is not asked about again if a person says that it isn’t the same: the line differs', () => {
    const { manifest } = create()
    manifest.changed(view({ packages: [proposed(1), proposed(2)], revision: 2 }))
    const first = manifest.proposal
    if (!first) throw new Error('no proposal')
    manifest.refuse(first)
    expect(manifest.proposal?.line.line).toBe(2)
    expect(manifest.proposalOf(first.line)).toBeUndefined()
  })
})

describe('what a manifest comes to, in words', () => {
  it.each([
    [{ packages: 14, here: 12, missing: 2, extra: 1 }, '12 of 14 packages, 2 not here yet, 1 extra', 'attention'],
    [
      { packages: 3, here: 3, extra: 2, extraOf: { package: 1, case: 1, product: 0 } },
      '3 of 3 packages, 1 package and 1 case extra',
      'attention',
    ],
    [{ packages: 1, here: 0, missing: 1 }, '0 of 1 package, 1 not here yet', 'plain'],
    [
      { packages: 3, here: 3, short: 1, over: 1, otherProduct: 1, unread: 1 },
      '3 of 3 packages, 1 short, 1 over, 1 with another product, 1 not looked up',
      'bad',
    ],
    [
      { packages: 3, here: 3, partly: 1, proposed: 1 },
      '3 of 3 packages, 1 partly here, 1 with a product to confirm',
      'attention',
    ],
    [{ packages: 3, here: 2, missing: 1, partly: 1 }, '2 of 3 packages, 1 not here yet, 1 partly here', 'plain'],
    [{ packages: 3, here: 3, isComplete: true }, '3 of 3 packages', 'good'],
  ] as const)('%j', (values, text, tone) => {
    expect([sumText(sums(values)), sumTone(sums(values))]).toEqual([text, tone])
  })

  it('after the delivery: what did not come is missing or short', () => {
    expect(sumText(sums({ packages: 3, here: 2, missing: 1, partly: 1 }), true)).toBe(
      '2 of 3 packages, 1 missing, 1 short',
    )
  })

  it.each([
    [{ kind: 'missing' }, false, ['plain', 'Not here yet']],
    [{ kind: 'missing' }, true, ['bad', 'Missing']],
    [{ kind: 'short', by: 12, isPartly: true }, false, ['plain', 'Partly here: 12 items not yet']],
    [{ kind: 'short', by: 12, isPartly: true }, true, ['bad', '12 items short']],
    [{ kind: 'short', by: 12 }, false, ['bad', '12 items short']],
    [{ kind: 'short', by: 0, isPartly: true }, false, ['plain', 'Partly here']],
    [{ kind: 'short', by: 0, isPartly: true }, true, ['bad', 'Not all here']],
  ] as const)('what is not here yet is not red: %j, over %s', (state, isOver, expected) => {
    const { tone, text } = stateChip(state, isOver)
    expect([tone, say(text)]).toEqual(expected)
  })

  it('says that the manifest gives no number where only the delivery does', () => {
    expect(amountOf(line(1, { count: null, found: 56 }))).toBe('56 items here, no number on the manifest')
    expect(amountOf(line(1, { count: 56, found: 56 }))).toBe('56 of 56')
  })

  it('before a delivery is finished: what is less, what is more, or that all is here', () => {
    const said = (values: Partial<ManifestSums>) => finishTexts(sums(values)).map((one) => say(one))
    expect(finishTexts(undefined)).toEqual([])
    expect(said({ missing: 2, short: 1, extra: 2, extraOf: { package: 1, case: 1, product: 0 } })).toEqual([
      'Not as the manifest says: 2 missing and 1 short. Finish anyway?',
      'Not on the manifest: 1 package and 1 case.',
    ])
    expect(said({ isComplete: true })).toEqual(['Everything on the manifest is here.'])
    language.locale = 'es'
    expect(said({ missing: 1 })).toEqual(['No es como dice el manifiesto: falta 1. ¿Terminar de todos modos?'])
    language.locale = 'en'
  })
})

describe('the file of the differences', () => {
  it('has a line for each, and none for what is here; no cell runs as a formula', () => {
    const packages = [
      inPackage(1, { state: { kind: 'here' }, found: 24 }),
      inPackage(2),
      inPackage(3, { productName: '=1+1', state: { kind: 'short', by: 2 }, found: 22, isCounted: true }),
      inPackage(4, {
        state: { kind: 'other-product', instead: [{ productId: productId(1), productName: 'Blue', count: 5 }] },
        found: 0,
      }),
    ]
    const extras: ManifestView['extras'] = [
      { kind: 'package', packageUid: packageUid(9), count: null },
      { kind: 'case', caseId: caseId(1), identifier: 'BOX-1', productName: 'Green', count: 3 },
      { kind: 'product', packageUid: packageUid(3), productId: productId(2), productName: 'Red', count: 4 },
    ]
    const { fileName, text } = differencesFile({ loadedAt: at, packages, extras }, true)
    expect(fileName).toBe('manifest-2026-11-12.csv')
    const { header, rows } = parseTable(text)
    expect(header?.cells).toEqual([
      'Line',
      'Package',
      'Product',
      'SKU',
      'POS product ID',
      'Items on manifest',
      'Items in delivery',
      'Counted',
      'Difference',
      'State',
      'In the delivery',
    ])
    expect(rows.map(({ cells }) => [cells[0], cells[2], cells[8], cells[9], cells[10]])).toEqual([
      ['2', 'Product 2', '-24', 'Missing', ''],
      ['3', "'=1+1", '-2', '2 items short', ''],
      ['4', 'Product 4', '', 'Product differs', 'Blue (5)'],
      ['', '', '', 'Extra package', ''],
      ['', 'Green', '3', 'Extra case', 'Case BOX-1'],
      ['', 'Red', '4', 'Extra product', ''],
    ])
  })
})

describe('loading a manifest', () => {
  const header = 'Package Tag,Product,Quantity\n'
  const tag = (n: number) => `1A40E0300000B2F0000${String(n).padStart(5, '0')}`
  const lines = (count: number) => Array.from({ length: count }, (_, n) => `${tag(n)},Product ${n},24\n`).join('')
  const file = (content: string, name = 'order.csv') => new File([content], name)
  const createLoading = () => {
    const fake = createFakeWire()
    return { fake, loading: new ManifestLoading(createClient(fake.wire)) }
  }

  it('sends it in parts of 300 rows, in order', async () => {
    const { fake, loading } = createLoading()
    await loading.choose(file(`${header}${lines(301)}x,Not a tag,1\n`))
    const done = loading.load()
    const first = fake.next('receiving.loadManifest')
    expect(ManifestPart.parse(first.input)).toMatchObject({
      fileName: 'order.csv',
      start: 0,
      leftOut: 1,
      isLast: false,
    })
    await first.answer(null)
    const second = fake.next('receiving.loadManifest')
    expect(ManifestPart.parse(second.input)).toMatchObject({
      start: 300,
      rows: [{ line: 302, count: 24 }],
      isLast: true,
    })
    await second.answer(null)
    expect(await done).toBe(true)
  })

  it('stops at a refusal, keeps the file and can be tried again', async () => {
    const { fake, loading } = createLoading()
    await loading.choose(file(header + lines(301)))
    const done = loading.load()
    await fake.next('receiving.loadManifest').refuse({ code: 'receiving/manifest-broken' })
    expect([await done, loading.error?.code, fake.asked]).toEqual([false, 'receiving/manifest-broken', []])
    void loading.load()
    expect(fake.next('receiving.loadManifest')).toMatchObject({ input: { start: 0 } })
  })

  it.each([
    ['only a header', header, 'no-lines'],
    ['no column of packages', 'Color,Size\nred,3\n', 'no-package'],
    ['only lines without a tag', `${header}PKG-1,A,1\n`, 'no-usable-line'],
    ['more lines than a truck holds', header + lines(mostManifestLines + 1), 'too-many'],
    ['as many as a truck holds', header + lines(mostManifestLines), null],
  ])('says why it can’t be loaded: %s', async (_name, content, obstacle) => {
    const { loading } = createLoading()
    await loading.choose(file(content))
    expect(loading.file?.obstacle).toBe(obstacle)
    if (obstacle !== null) expect(await loading.load()).toBe(false)
  })

  it.each([
    ['an empty file', '', 'csv/empty'],
    ['a picture', '\u0089PNG\0\0', 'csv/binary'],
    ['a workbook', 'PK\u0003\u0004', 'csv/workbook'],
  ])('refuses %s', async (_name, content, code) => {
    const { loading } = createLoading()
    await loading.choose(file(content))
    expect([loading.file, loading.problem?.problem.code]).toEqual([null, code])
  })

  it('says what is wrong with each line', async () => {
    const { loading } = createLoading()
    await loading.choose(
      file(`${header},A,1\nPKG-1,A,1\n${tag(1)},A,"1,000"\n${tag(2)},A,2.5\n${tag(3)},A,0\n${tag(4)},A\n`),
    )
    const { faults = [], leftOutLines = [] } = loading.file?.mapped ?? {}
    expect(say(leftOutTitle(leftOutLines))).toBe('Lines 2, 3, 6, and 7 are left out')
    expect(say(leftOutTitle([4]))).toBe('Line 4 is left out')
    expect(faults.map((fault) => `${fault.line}: ${say(faultTextOf(fault, leftOutLines))}`)).toEqual([
      '2: Package UID is empty. The line is left out.',
      '3: Not a package tag: PKG-1. The line is left out.',
      '5: Not a number of items: 2.5. Loaded without a number.',
      '6: 0 items expected (0). The line is left out.',
      '7: Has 2 cells, not as many as there are columns. The line is left out.',
    ])
  })
})

describe('receiving with a manifest', () => {
  it('shows its lines in place of the case, until a case is selected or Esc is pressed', async () => {
    const { receiving } = await receivingPackage()
    receiving.manifest.changed(view())
    receiving.showManifest(true)
    expect(receiving.isManifestShown).toBe(true)
    receiving.select(caseId(2))
    expect(receiving.isManifestShown).toBe(false)
    receiving.showManifest(true)
    expect(receiving.panes.back()).toBe(true)
    expect(receiving.isManifestShown).toBe(false)
    expect(receiving.delivery.hasPackage(uid)).toBe(true)
  })

  it('imports nothing by Ctrl+Enter while the lines stand where its button is: it leads back to the button', async () => {
    const { fake, receiving } = await readyPackage()
    receiving.manifest.changed(view())
    receiving.showManifest(true)
    expect(await receiving.primary()).toEqual({ kind: 'nothing' })
    expect([receiving.isManifestShown, fake.asked.length, receiving.many.isSaving]).toEqual([false, 0, false])
    expect(await receiving.primary()).toEqual({ kind: 'importing', count: 2 })
  })

  it('leaves the lines once the manifest is removed', async () => {
    const { fake, receiving } = createReceiving()
    receiving.manifest.changed(view())
    receiving.showManifest(true)
    const removing = receiving.removeManifest()
    await fake.next('receiving.removeManifest').answer(null)
    await removing
    expect(receiving.panes.isManifestOpen).toBe(false)
  })
})
