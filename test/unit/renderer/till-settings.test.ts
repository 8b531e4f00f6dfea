import { describe, expect, it } from 'vitest'
import { createClient } from '../../../src-shared/ipc/client'
import { Till } from '../../../src-renderer/settings/forms.svelte'
import { createFakeWire } from './fake-wire'

function start() {
  const fake = createFakeWire()
  return { fake, till: new Till(createClient(fake.wire)) }
}
const view = { isKiosk: false, startsWithComputer: false, canSavePdf: true }

describe('the settings of the computer as a till', () => {
  it('are null in a browser', async () => {
    const { fake, till } = start()
    const loading = till.load()
    await fake.next('till.view').answer(null)
    await loading
    expect(till).toMatchObject({ view: null, error: null })
  })

  it('are changed at once, each setting on its own', async () => {
    const { fake, till } = start()
    const changing = till.change({ isKiosk: true })
    expect(till.isSaving).toBe(true)
    const asked = fake.next('till.change')
    expect(asked.input).toEqual({ isKiosk: true })
    await asked.answer({ ...view, isKiosk: true })
    await changing
    expect(till).toMatchObject({ view: { isKiosk: true }, isSaving: false, isSaved: true, error: null })
  })

  it('show the stored state if a change is refused, and why', async () => {
    const { fake, till } = start()
    const changing = till.change({ startsWithComputer: true })
    await fake.next('till.change').refuse({ code: 'store/not-saved' })
    await fake.next('till.view').answer(view)
    await changing
    expect(till).toMatchObject({ view, error: { code: 'store/not-saved' }, isSaved: false })
  })
})
