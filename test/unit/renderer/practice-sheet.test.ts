import { describe, expect, it } from 'vitest'
import { drawCode } from '../../../src-renderer/practice/sheet.svelte'
import { Sheet } from '../../../src-renderer/practice/sheet.svelte'
import type { PracticeCode } from '../../../src-shared/ipc/contract/app'
import { createClient } from '../../../src-shared/ipc/client'
import { createFakeWire } from './fake-wire'

const code = (kind: PracticeCode['kind'], text: string, caseText: string | null = null): PracticeCode => ({
  kind,
  text,
  label: text,
  identifier: text,
  brand: null,
  items: null,
  importer: null,
  caseText,
  about: null,
})

function open() {
  const fake = createFakeWire()
  const sheet = new Sheet(createClient(fake.wire))
  return { fake, sheet }
}

describe('the practice sheet', () => {
  it('puts each item under its case, in the order of the store, and keeps a case without items', async () => {
    const { fake, sheet } = open()
    void sheet.load()
    expect(sheet.codes).toBeNull()
    await fake
      .next('practice.codes')
      .answer([
        code('package', 'P'),
        code('case', 'A'),
        code('case', 'B'),
        code('tag', '2', 'A'),
        code('tag', '1', 'A'),
      ])
    expect(sheet.packages.map(({ text }) => text)).toEqual(['P'])
    expect(sheet.cases.map((one) => [one.code.text, one.tags.map(({ text }) => text)])).toEqual([
      ['A', ['2', '1']],
      ['B', []],
    ])
  })

  it('prints items that are not sold just like that in a group of their own, without their cases', async () => {
    const { fake, sheet } = open()
    void sheet.load()
    const here = (text: string) => ({ ...code('case', text), about: 'imported-here' as const })
    await fake
      .next('practice.codes')
      .answer([here('A'), here('B'), code('tag', '1', 'A'), { ...code('tag', '2', 'B'), about: 'certificate-expired' }])
    expect(sheet.cases.map((one) => one.code.text)).toEqual(['A'])
    expect(sheet.heldBack.map(({ text }) => text)).toEqual(['2'])
  })

  it('shows that it works in practice only, and clears the error once the codes are loaded', async () => {
    const { fake, sheet } = open()
    void sheet.load()
    await fake.next('practice.codes').refuse({ code: 'practice/not-active' })
    expect(sheet.error).toEqual({ code: 'practice/not-active' })
    void sheet.load()
    expect(sheet.error).toBeNull()
    await fake.next('practice.codes').answer([])
    expect([sheet.error, sheet.codes]).toEqual([null, []])
  })

  it('shows that main is unreachable', async () => {
    const { fake, sheet } = open()
    void sheet.load()
    await fake.next('practice.codes').disconnect()
    expect([sheet.error, sheet.codes]).toEqual([{ code: 'ipc/disconnected' }, null])
  })
})

// test/e2e/practice-sheet.spec.ts uses a real browser and a reader to show that the pictures read back as their texts.
describe('the picture of a code', () => {
  it.each(['qr', 'code128'] as const)('is a URL that needs no request, different for each text: %s', (kind) => {
    const picture = drawCode('1A40E0300000B2F000000001', kind)
    expect(picture).toMatch(/^data:image\/svg\+xml,%3Csvg/)
    expect(drawCode('1A40E0300000B2F000000002', kind)).not.toBe(picture)
    expect(drawCode('1A40E0300000B2F000000001', kind)).toBe(picture)
  })

  it("is null for a text that can't be drawn: empty, too long, non-ASCII", () => {
    expect(drawCode('', 'qr')).toBeNull()
    expect(drawCode('', 'code128')).toBeNull()
    expect(drawCode('x'.repeat(4_000), 'qr')).toBeNull()
    for (const text of ['包裹', 'piñón', 'a\u001db', 'a\n']) {
      expect([text, drawCode(text, 'code128'), drawCode(text, 'qr')]).toEqual([text, null, null])
    }
  })
})
