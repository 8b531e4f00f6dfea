import { describe, expect, it } from 'vitest'
import { createClient } from '../../../src-shared/ipc/client'
import { ScannerSettings } from '../../../src-shared/ipc/scanner-view'
import { Scanners } from '../../../src-renderer/scan/scanners.svelte'
import { WedgeForm } from '../../../src-renderer/settings/wedge-form.svelte'
import { createFakeWire, turn } from './fake-wire'

const kept = ScannerSettings.parse({ wedge: { prefix: '~~', reading: 'us', timing: { longestGap: 300 } } })

async function start() {
  const fake = createFakeWire()
  const scanners = new Scanners(createClient(fake.wire))
  void scanners.loadSettings()
  await fake.next('scanner.settings').answer(kept)
  return { fake, form: new WedgeForm(scanners) }
}
const wedgeIn = (input: unknown) => ScannerSettings.parse(input).wedge

describe('what is set of scanners that type', () => {
  it('begins with what is kept, and keeps a prefix without the spaces around it', async () => {
    const { fake, form } = await start()
    expect(form.prefix).toBe('~~')
    form.prefix = ' #! '
    const saving = form.savePrefix()
    await turn()
    const asked = fake.next('scanner.setSettings')
    expect(wedgeIn(asked.input)).toEqual({ ...kept.wedge, prefix: '#!' })
    await asked.answer(null)
    await saving
    expect([form.prefix, form.saved]).toEqual(['#!', 'prefix'])
    form.typed()
    expect(form.saved).toBeNull()
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
  ])('refuses the prefix %j, and keeps nothing', async (prefix, key) => {
    const { fake, form } = await start()
    form.prefix = prefix
    await form.savePrefix()
    expect([form.fault, fake.asked]).toEqual([{ key }, []])
  })

  it('forgets the timing, and says when the disk refuses', async () => {
    const { fake, form } = await start()
    const refused = form.resetTiming()
    await turn()
    await fake.next('scanner.setSettings').refuse({ code: 'store/not-saved' })
    await refused
    expect([form.error?.code, form.saved]).toEqual(['store/not-saved', null])
    const reset = form.resetTiming()
    await turn()
    const asked = fake.next('scanner.setSettings')
    expect(wedgeIn(asked.input)).toEqual({ ...kept.wedge, timing: { longestGap: 200, device: null } })
    await asked.answer(null)
    await reset
    expect([form.error, form.saved]).toEqual([null, 'timing'])
  })
})
