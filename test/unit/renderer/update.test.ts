import { describe, expect, it } from 'vitest'
import { createClient } from '../../../src-shared/ipc/client'
import { Update } from '../../../src-renderer/update/update.svelte'
import { createFakeWire } from './fake-wire'

function start() {
  const fake = createFakeWire()
  const update = new Update(createClient(fake.wire))
  update.start()
  return { fake, update }
}

describe('an update that waits for a restart', () => {
  it('shows a chip and opens no dialog by itself', async () => {
    const { fake, update } = start()
    await fake.emit('update.changed', { version: '0.2.0', isAgreed: false })
    expect(update).toMatchObject({ view: { version: '0.2.0' }, isAsking: false })
  })

  it('is confirmed for the version on the screen', async () => {
    const { fake, update } = start()
    void update.load()
    await fake.next('update.view').answer({ version: '0.2.0', isAgreed: false })
    void update.restart()
    const asked = fake.next('update.restart')
    expect(asked.input).toEqual({ version: '0.2.0' })
    await asked.answer({ version: '0.2.0', isAgreed: true })
    expect(update.view.isAgreed).toBe(true)
  })

  it('closes the dialog when another version replaces it', async () => {
    const { fake, update } = start()
    await fake.emit('update.changed', { version: '0.2.0', isAgreed: false })
    update.isAsking = true
    await fake.emit('update.changed', { version: '0.3.0', isAgreed: false })
    expect(update.isAsking).toBe(false)
  })

  it('does nothing without an update', async () => {
    const { fake, update } = start()
    await update.restart()
    expect(fake.asked).toEqual([])
  })
})
