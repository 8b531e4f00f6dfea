import { describe, expect, it } from 'vitest'
import type { AppError } from '../../../src-shared/errors'
import { TagId } from '../../../src-shared/ids'
import type { OperationView } from '../../../src-shared/ipc/contract/outbox'
import { say } from '../../../src-renderer/text/text.svelte'
import { refusedText, unnamedTexts } from '../../../src-renderer/outbox/refusal.svelte'
import { tag } from '../../fakes/ids'
import { operation } from './examples'

const item = (n: number, productName: string | null) =>
  ({
    tagId: TagId.parse(tag(n)),
    productName,
    caseId: null,
    state: 'not-reported',
    standing: null,
    isUnclaimed: false,
  }) as const
const notImported = (...numbers: number[]): AppError => ({
  code: 'service/not-imported',
  tagIds: numbers.map((n) => tag(n)),
})
const text = (
  reason: AppError | null,
  items: ReturnType<typeof item>[] | undefined,
  kind: OperationView['kind'] = 'complete',
) => {
  const found = refusedText({ kind, reason }, items)
  return found && say(found)
}

describe('a refusal that names items', () => {
  it('names a product once for all its items, and a code only if the product is unknown', () => {
    const items = [item(1, 'Blue Dune'), item(2, 'Blue Dune'), item(3, null)]
    expect(text(notImported(1, 2, 3), items)).toBe(`The whole order was refused because of: Blue Dune and ${tag(3)}.`)
  })

  it('names three items and says how many more there are', () => {
    const said = text(notImported(1, 2, 3, 4, 5), undefined)
    expect(said).toContain(`${tag(1)}, ${tag(2)}, ${tag(3)}, and 2 more.`)
    expect(said).not.toContain(tag(4))
  })

  it('says that nothing was added if items were to be added to a case', () => {
    expect(text(notImported(1), undefined, 'add-items')).toBe(`Nothing was added, because of: ${tag(1)}.`)
  })

  it('keeps the general message for a report about one thing', () => {
    for (const kind of ['import', 'remove-item', 'restore-item'] as const)
      expect(text(notImported(1), undefined, kind), kind).toBeNull()
  })

  it('is null if no item is named', () => {
    expect(text(null, [])).toBeNull()
    expect(text({ code: 'service/already-processed', detail: 'd' }, [item(1, 'Blue Dune')])).toBeNull()
  })
})

describe('an order that the service has "already"', () => {
  const refused = (fields: Partial<OperationView> = {}) =>
    operation({
      state: 'rejected',
      itemCount: 3,
      reason: { code: 'service/already-processed', detail: 'Transaction already processed' },
      ...fields,
    })

  it('says that no item is named, and for a sale how to find the item', () => {
    const [what = '', how = ''] = unnamedTexts(refused()).map(say)
    expect(what).toBe('The service doesn’t say which items it refused.')
    expect(how).toContain('scan it again')
    expect(unnamedTexts(refused({ kind: 'return' })).map(say)).toEqual([what])
  })

  it.each([
    ['it has one item', { itemCount: 1 }],
    ['it is an import', { kind: 'import' }],
    ['it is not refused', { state: 'accepted' }],
    ['it was refused for something else', { reason: { code: 'service/items-missing' } }],
    ['its items are named', { reason: notImported(1) }],
  ] satisfies [string, Partial<OperationView>][])('says nothing about items if %s', (_what, fields) => {
    expect(unnamedTexts(refused(fields))).toEqual([])
  })
})
