import { describe, expect, it } from 'vitest'
import { createClient } from '../../../src-shared/ipc/client'
import { ScannerSettings } from '../../../src-shared/ipc/contract/scanner'
import { say } from '../../../src-renderer/text/text.svelte'
import { Scanners } from '../../../src-renderer/scan/scanners.svelte'
import { createPrefixesForm } from '../../../src-renderer/settings/forms.svelte'
import { createFakeWire, turn } from './fake-wire'

async function createForm() {
  const fake = createFakeWire()
  const scanners = new Scanners(createClient(fake.wire))
  void scanners.loadSettings()
  await fake.next('scanner.settings').answer(ScannerSettings.parse({ prefixes: { order: 'ORD-', badge: 'EMP-' } }))
  const form = createPrefixesForm(scanners)
  await form.load()
  const type = (order: string, badge: string) => {
    form.values.order = order
    form.typed('order')
    form.values.badge = badge
    form.typed('badge')
  }
  return { fake, form, type }
}

describe('the prefixes of a station’s own barcodes', () => {
  it('show the stored values, and keep what is being typed', async () => {
    const { form, type } = await createForm()
    expect([form.values.order, form.values.badge]).toEqual(['ORD-', 'EMP-'])
    type('X', '')
    await form.load()
    expect([form.values.order, form.values.badge]).toEqual(['X', ''])
  })

  it.each([
    [' A- ', 'B-', { order: 'A-', badge: 'B-' }],
    ['', '', { order: '', badge: '' }],
    ['7', '77', { order: '7', badge: '77' }],
    ['x'.repeat(20), 'CTX', { order: 'x'.repeat(20), badge: 'CTX' }],
  ])('can be %j and %j, are saved, and shown as saved until something is typed', async (order, badge, prefixes) => {
    const { fake, form, type } = await createForm()
    type(order, badge)
    void form.save()
    await turn()
    const asked = fake.next('scanner.setSettings')
    expect(ScannerSettings.parse(asked.input).prefixes).toEqual(prefixes)
    await asked.answer(null)
    expect([form.isSaved, form.values.order]).toEqual([true, prefixes.order])
    form.typed('order')
    expect(form.isSaved).toBe(false)
  })

  it.each([
    ['x'.repeat(21), 'Use 20 characters at most.'],
    ['ct:', 'CT: marks Countertag’s own actions. Use another one.'],
    ['CT', 'CT: marks Countertag’s own actions. Use another one.'],
    ['https://x', 'An address can’t be a prefix: items and cases begin with it.'],
    ['HTTP', 'An address can’t be a prefix: items and cases begin with it.'],
    ['a\u0007b', 'Use letters, digits and signs only.'],
    ['a\ufffd', 'Use letters, digits and signs only.'],
    ['\ud800', 'Use letters, digits and signs only.'],
  ])('can’t be %j', async (bad, why) => {
    const { fake, form, type } = await createForm()
    type(bad, bad)
    await form.save()
    expect([form.faults.order && say(form.faults.order), form.faults.badge && say(form.faults.badge)]).toEqual([
      why,
      why,
    ])
    expect([form.isSaved, fake.asked]).toEqual([false, []])
    form.typed('order')
    expect(form.faults.order).toBeUndefined()
  })

  it('can’t be equal, ignoring case', async () => {
    const { fake, form, type } = await createForm()
    type('ab', ' AB')
    await form.save()
    expect([form.faults.order, form.faults.badge?.key]).toEqual([undefined, 'prefixes.same'])
    expect(fake.asked).toEqual([])
  })

  it('stay in the form if the disk refuses', async () => {
    const { fake, form, type } = await createForm()
    type('A', 'B')
    void form.save()
    await turn()
    await fake.next('scanner.setSettings').refuse({ code: 'store/not-saved' })
    expect([form.error?.code, form.isSaved, form.values.order]).toEqual(['store/not-saved', false, 'A'])
  })
})
