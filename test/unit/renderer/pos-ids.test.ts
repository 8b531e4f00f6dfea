import { describe, expect, it } from 'vitest'
import { createClient } from '../../../src-shared/ipc/client'
import { PackageUid } from '../../../src-shared/ids'
import type { Prefill, Suggestion } from '../../../src-shared/ipc/contract/receiving'
import { PosIdsBook } from '../../../src-renderer/receiving/pos-ids-book'
import { PosIds } from '../../../src-renderer/receiving/pos-ids.svelte'
import { at, productId } from './examples'
import { createFakeWire } from './fake-wire'

const packageUid = PackageUid.parse('U1')
const remembered = (value: string): Suggestion => ({
  value,
  source: 'remembered',
  isOfPackage: true,
  isCertain: true,
  at,
  line: null,
})
const listed = (value: string, line: number): Suggestion => ({
  value,
  source: 'catalogue',
  isOfPackage: false,
  isCertain: true,
  at,
  line,
})
const prefill = (fields: Partial<Prefill> = {}): Prefill => ({
  productId: productId(1),
  packageUid,
  posProductId: [],
  posInventoryId: [],
  sku: [],
  ...fields,
})

describe('a suggested id', () => {
  it('fills the field if it is the only one, and shows its source', () => {
    const ids = new PosIds()
    ids.offer(prefill({ posProductId: [remembered('P-1')], posInventoryId: [listed('I-1', 12)] }))
    expect([ids.posProductId, ids.posInventoryId, ids.isComplete]).toEqual(['P-1', 'I-1', true])
    expect(ids.sourceOf('posInventoryId')).toMatchObject({ source: 'catalogue', line: 12 })
    ids.choose('posProductId', 'P-2')
    expect(ids.sourceOf('posProductId')).toBeNull()
    expect(ids.choicesOf('posProductId').map(({ value }) => value)).toEqual(['P-1'])
  })

  it('leaves the choice open if there are several', () => {
    const ids = new PosIds()
    ids.offer(prefill({ posProductId: [remembered('P-1'), listed('P-2', 3)] }))
    expect([ids.posProductId, ids.isComplete]).toEqual(['', false])
    expect(ids.choicesOf('posProductId')).toHaveLength(2)
  })

  it('never replaces what a person typed or cleared', () => {
    const ids = new PosIds()
    ids.choose('posProductId', 'mine')
    ids.choose('sku', '')
    ids.offer(prefill({ posProductId: [remembered('P-1')], sku: [remembered('S-1')] }))
    expect([ids.posProductId, ids.sku]).toEqual(['mine', ''])
  })

  it('fills a field that was emptied before the package was known', () => {
    const unpacked = new PosIds()
    unpacked.choose('posProductId', '')
    unpacked.choose('sku', 'S-1')
    const ids = new PosIds()
    ids.offer(prefill({ posProductId: [listed('P-1', 3)] }))
    expect(ids.adopt(unpacked)).toBe(true)
    expect([ids.posProductId, ids.sku]).toEqual(['P-1', 'S-1'])
  })

  it('is offered beside what stays with a case', () => {
    const shared = new PosIds()
    shared.choose('posInventoryId', 'I-1')
    const own = new PosIds()
    own.choose('posInventoryId', 'I-2')
    expect(shared.adopt(own)).toBe(false)
    own.stayBeside(shared)
    shared.offer(prefill({ posProductId: [remembered('P-1')] }))
    expect([own.posProductId, own.posInventoryId, shared.posInventoryId]).toEqual(['P-1', 'I-2', 'I-1'])
  })

  it('leaves the choice open if it is uncertain', () => {
    const ids = new PosIds()
    ids.offer(prefill({ posProductId: [{ ...listed('P-1', 3), isCertain: false }] }))
    expect([ids.posProductId, ids.isComplete]).toEqual(['', false])
    expect(ids.choicesOf('posProductId').map(({ value }) => value)).toEqual(['P-1'])
  })

  it('stays in a field only as long as it is suggested; a corrected or removed catalog takes it away', () => {
    const ids = new PosIds()
    ids.offer(prefill({ posProductId: [listed('WRONG', 3)], posInventoryId: [listed('I-1', 3)] }))
    ids.choose('sku', 'mine')
    ids.offer(prefill({ posProductId: [listed('P-1', 3)] }))
    expect([ids.posProductId, ids.posInventoryId, ids.sku]).toEqual(['P-1', '', 'mine'])
    expect(ids.sourceOf('posProductId')).toMatchObject({ line: 3 })
    ids.offer(prefill({ posProductId: [listed('P-1', 3), listed('P-2', 4)] }))
    expect(ids.posProductId).toBe('')
    ids.offer(prefill())
    expect([ids.posProductId, ids.isComplete]).toEqual(['', false])
  })

  it('is carried over to another package only if a person typed it, marked, and never as an inventory id', () => {
    const ids = new PosIds()
    ids.offer(prefill({ posProductId: [remembered('P-1')] }))
    ids.choose('posInventoryId', 'I-9')
    ids.choose('sku', 'S-9')
    const other = new PosIds()
    other.inherit(ids)
    expect([other.posProductId, other.posInventoryId, other.sku]).toEqual(['', '', 'S-9'])
    expect([other.isInherited('sku'), other.isInherited('posProductId')]).toEqual([true, false])
  })

  it('for the other package takes priority over a typed id that is carried over, whichever arrives first', () => {
    const typed = new PosIds()
    typed.choose('posProductId', 'P-9')
    typed.choose('posInventoryId', 'I-9')
    const own = prefill({ posProductId: [remembered('P-1')], posInventoryId: [remembered('I-1')] })
    const asked = new PosIds()
    asked.offer(own)
    asked.inherit(typed)
    const unasked = new PosIds()
    unasked.inherit(typed)
    unasked.offer(own)
    for (const ids of [asked, unasked]) expect([ids.posProductId, ids.posInventoryId]).toEqual(['P-1', 'I-1'])
    // Ids remembered from other packages are older than what was just typed.
    asked.offer(prefill({ posProductId: [{ ...remembered('P-1'), isOfPackage: false }] }))
    expect(asked.posProductId).toBe('P-9')
  })

  it('is not complete if the ids are blank', () => {
    const ids = new PosIds()
    ids.choose('posProductId', ' ')
    ids.choose('posInventoryId', 'I')
    expect(ids.isComplete).toBe(false)
  })
})

describe('asking for suggested ids', () => {
  const create = () => {
    const fake = createFakeWire()
    return { fake, book: new PosIdsBook(createClient(fake.wire)) }
  }
  const pair = { productId: productId(1), packageUid }

  it('asks once for each product in each package, and not for an invalid package', async () => {
    const { fake, book } = create()
    const asking = book.need([pair, pair, { ...pair, packageUid: ' ' }, { ...pair, packageUid: 'x'.repeat(101) }])
    const asked = fake.next('receiving.prefills')
    expect(asked.input).toEqual({ pairs: [pair] })
    await asked.answer([prefill({ posProductId: [remembered('P-1')] })])
    await asking
    expect(book.of(productId(1), packageUid).posProductId).toBe('P-1')
    await book.need([pair])
    expect(fake.asked).toEqual([])
  })

  it('asks again after a failure, and after the catalog changes', async () => {
    const { fake, book } = create()
    const failing = book.need([pair])
    await fake.next('receiving.prefills').disconnect()
    await failing
    const asking = book.need([pair])
    await fake.next('receiving.prefills').answer([])
    await asking
    void book.again()
    expect(fake.next('receiving.prefills').input).toEqual({ pairs: [pair] })
  })

  it("uses the answer to the newest question, whichever comes last, and withdraws ids that can't be confirmed", async () => {
    const { fake, book } = create()
    void book.need([pair])
    const older = fake.next('receiving.prefills')
    void book.again()
    await fake.next('receiving.prefills').answer([prefill({ posProductId: [listed('NEW', 3)] })])
    await older.answer([prefill({ posProductId: [listed('OLD', 3)] })])
    expect(book.of(productId(1), packageUid).posProductId).toBe('NEW')
    void book.again()
    await fake.next('receiving.prefills').disconnect()
    expect(book.of(productId(1), packageUid).posProductId).toBe('')
  })
})
