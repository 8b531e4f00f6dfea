import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { OperationId } from '../../../src-shared/ids'
import { type Shop, codeOf, openShop, put, sale } from '../../unit/main/database/shop'

describe('two processes on one data folder', () => {
  let shop: Shop
  let children: ChildProcessWithoutNullStreams[]
  beforeEach(() => {
    shop = openShop()
    children = []
  })
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL')
    shop.remove()
  })

  /** Starts a process and returns its lines as they come. */
  const start = (what: 'idle' | 'writing') => {
    const child = spawn(process.execPath, [inject('programs').holder, shop.file, what])
    children.push(child)
    const lines: string[] = []
    const reader = createInterface(child.stdout)
    reader.on('line', (line) => lines.push(line))
    const until = async (count: number) => {
      while (lines.length < count) await once(reader, 'line')
    }
    const ended = once(child, 'close')
    const kill = async () => {
      child.kill('SIGKILL')
      await ended
    }
    return { lines, until, kill }
  }

  it('keep the second one out while the first is idle', async () => {
    const first = start('idle')
    await first.until(1)
    expect(first.lines).toEqual(['open sound'])
    const second = start('idle')
    await second.until(1)
    expect(second.lines).toEqual(['store/in-use'])
    expect(codeOf(() => shop.open())).toBe('store/in-use')
  })

  it('keep the second one out while the first is writing, and let it in as soon as the first is killed', async () => {
    const first = start('writing')
    for (const count of [5, 40, 80]) {
      await first.until(count)
      expect(codeOf(() => shop.open())).toBe('store/in-use')
    }
    await first.kill()
    const { store, outbox } = shop.open()
    expect(store.found).toBe('sound')
    expect(store.salvage()).toBeNull()
    const [, ...saved] = first.lines
    expect(saved.length).toBeGreaterThanOrEqual(79)
    expect(saved.filter((id) => outbox.read.byId(OperationId.parse(id))?.state !== 'queued')).toEqual([])
    expect(shop.names().filter((name) => name.includes('damaged'))).toEqual([])
    store.close()
  })

  it('repair a damaged database only once', async () => {
    const { store, outbox } = shop.open()
    for (let n = 0; n < 20; n++) put(outbox, sale(n))
    store.close()
    const bytes = readFileSync(shop.file)
    bytes.fill(0x5a, 0, 4_096)
    writeFileSync(shop.file, bytes)
    const rivals = [start('idle'), start('idle'), start('idle')]
    await Promise.all(rivals.map((rival) => rival.until(1)))
    const said = rivals.map(({ lines }) => lines[0]).sort()
    expect(said).toEqual(['open unreadable', 'store/in-use', 'store/in-use'])
    await Promise.all(rivals.map((rival) => rival.kill()))
    expect(shop.names().filter((name) => name.includes('damaged'))).toHaveLength(1)
    const after = shop.open()
    expect(after.store.salvage()).toMatchObject({ operations: 20, lost: 0 })
    expect(after.outbox.read.counts().unsent).toBe(20)
    after.store.close()
  })
})
