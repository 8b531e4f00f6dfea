import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { FakePage, type Invoke } from '../fakes/electron/page'
import { wireOf } from './countertag'
import { root } from './root'

const bundle = join(root, 'out/preload/preload.cjs')
const noAnswer: Invoke = () => Promise.resolve(null)

describe('the built preload', () => {
  it('requires nothing but electron: a sandboxed preload gets nothing else', () => {
    const page = new FakePage(bundle, noAnswer)
    expect(page.required).toEqual(['electron'])
    expect(readFileSync(bundle, 'utf8')).not.toMatch(/\bimport\b\s*[({'"]|^export /m)
  })

  it('gives the page two functions and nothing else', () => {
    const page = new FakePage(bundle, noAnswer)
    expect([...page.world.keys()]).toEqual(['countertag'])
    expect(Object.keys(wireOf(page))).toEqual(['invoke', 'subscribe'])
  })

  it('calls only on its one channel, whatever the page asks for', async () => {
    const invoke = vi.fn<Invoke>(() => Promise.resolve({ ok: true, value: 1 }))
    const wire = wireOf(new FakePage(bundle, invoke))
    expect(await wire.invoke('shell:open', { path: '/' })).toEqual({ ok: true, value: 1 })
    expect(invoke.mock.calls).toEqual([['countertag:invoke', ['shell:open', { path: '/' }]]])
  })

  it("gives a subscriber the event's payload, and never Electron's event object", () => {
    const page = new FakePage(bundle, noAnswer)
    const listener = vi.fn()
    wireOf(page).subscribe('outbox.changed', listener)
    page.receive('countertag:event', ['outbox.changed', { id: 1 }])
    page.receive('countertag:event', ['app.status', { unsent: 1 }])
    page.receive('another:channel', ['outbox.changed', { id: 2 }])
    expect(listener.mock.calls).toEqual([[{ id: 1 }]])
  })

  it('stops at once when the page unsubscribes, for that subscriber only', () => {
    const page = new FakePage(bundle, noAnswer)
    const [first, second] = [vi.fn(), vi.fn()]
    const stop = wireOf(page).subscribe('app.status', first)
    wireOf(page).subscribe('app.status', second)
    stop()
    page.receive('countertag:event', ['app.status', {}])
    expect(first).not.toHaveBeenCalled()
    expect(second).toHaveBeenCalledOnce()
  })
})
