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
  it('shows itself and opens nothing: the question is put when somebody wants it', async () => {
    const { fake, update } = start()
    await fake.emit('update.changed', { version: '0.2.0', isAgreed: false })
    expect(update).toMatchObject({ view: { version: '0.2.0' }, isAsking: false })
  })

  it('is agreed to by the version that is on the screen', async () => {
    const { fake, update } = start()
    void update.load()
    await fake.next('update.view').answer({ version: '0.2.0', isAgreed: false })
    void update.restart()
    const asked = fake.next('update.restart')
    expect(asked.input).toEqual({ version: '0.2.0' })
    await asked.answer({ version: '0.2.0', isAgreed: true })
    expect(update.view.isAgreed).toBe(true)
  })

  it('that became another one is asked about anew', async () => {
    const { fake, update } = start()
    await fake.emit('update.changed', { version: '0.2.0', isAgreed: false })
    update.isAsking = true
    await fake.emit('update.changed', { version: '0.3.0', isAgreed: false })
    expect(update.isAsking).toBe(false)
  })

  it('asks for nothing where there is none', async () => {
    const { fake, update } = start()
    await update.restart()
    expect(fake.asked).toEqual([])
  })
})
