import { describe, expect, it } from 'vitest'
import { createClient } from '../../../src-shared/ipc/client'
import { ScannerSettings } from '../../../src-shared/ipc/contract/scanner'
import { Scanners } from '../../../src-renderer/scan/scanners.svelte'
import { createScannerPrefixForm } from '../../../src-renderer/settings/forms.svelte'
import { createFakeWire, turn } from './fake-wire'

const kept = ScannerSettings.parse({ wedge: { prefix: '~~', reading: 'us', timing: { longestGap: 300 } } })

async function start() {
  const fake = createFakeWire()
  const scanners = new Scanners(createClient(fake.wire))
  void scanners.loadSettings()
  await fake.next('scanner.settings').answer(kept)
  const form = createScannerPrefixForm(scanners)
  await form.load()
  return { fake, form }
}
const wedgeIn = (input: unknown) => ScannerSettings.parse(input).wedge

describe('the prefix that keyboard-mode scanners send', () => {
  it('shows the stored prefix, and saves a new one without the spaces around it', async () => {
    const { fake, form } = await start()
    expect(form.values.prefix).toBe('~~')
    form.values.prefix = ' #! '
    const saving = form.save()
    await turn()
    const asked = fake.next('scanner.setSettings')
    expect(wedgeIn(asked.input)).toEqual({ ...kept.wedge, prefix: '#!' })
    await asked.answer(null)
    await saving
    expect([form.values.prefix, form.isSaved]).toEqual(['#!', true])
    form.typed('prefix')
    expect(form.isSaved).toBe(false)
  })

  it.each([
    ['x'.repeat(11), 'wedge.prefix.too-long'],
    ['a\u0007', 'wedge.prefix.unprintable'],
    ['https', 'wedge.prefix.code'],
    ['HTTPS:', 'wedge.prefix.code'],
    ['ct:', 'wedge.prefix.code'],
    [']Q1', 'wedge.prefix.code'],
    ['1A4', 'wedge.prefix.code'],
    ['01', 'wedge.prefix.code'],
  ])('refuses the prefix %j, and saves nothing', async (prefix, key) => {
    const { fake, form } = await start()
    form.values.prefix = prefix
    await form.save()
    expect([form.faults.prefix, fake.asked]).toEqual([{ key }, []])
  })
})
