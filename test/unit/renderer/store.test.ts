import { describe, expect, it } from 'vitest'
import { Store } from '../../../src-renderer/store/store.svelte'
import { explain } from '../../../src-renderer/text/errors'
import { say } from '../../../src-renderer/text/text.svelte'
import { createClient } from '../../../src-shared/ipc/client'
import { createFakeWire } from './fake-wire'

describe('an identity of its own', () => {
  function begin() {
    const fake = createFakeWire()
    const store = new Store(createClient(fake.wire))
    store.askForIdentity()
    return { fake, store }
  }

  it.each([
    ['', 'Required.'],
    ['  ', 'Required.'],
    ['Front\u202E', 'This has characters that can’t be seen. Type it instead of pasting it.'],
    ['F'.repeat(41), 'That is too long.'],
  ])('is not taken with the name "%s", and the field says why', async (name, why) => {
    const { fake, store } = begin()
    store.newName = name
    await store.takeIdentity()
    expect(store.nameFault && say(store.nameFault)).toBe(why)
    expect([store.newName, fake.asked]).toEqual([name, []])
  })

  it('enters a free name where another station has that one', async () => {
    const { fake, store } = begin()
    store.newName = 'Front 2'
    const taking = store.takeIdentity()
    await fake.next('join.newIdentity').refuse({
      ...{ code: 'join/trouble', trouble: 'name-taken', answer: null },
      freeName: 'Front 3',
    })
    await taking
    expect(store.newName).toBe('Front 3')
    expect(store.naming.error && say(explain(store.naming.error).next)).toBe(
      '“Front 3” is free and is entered now. Use it, or choose another one.',
    )
  })
})
