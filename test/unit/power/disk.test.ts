import { describe, expect, it } from 'vitest'
import { chanceOf } from '../../crash/chance'
import { type Manner, cutPower, manners } from '../../power/cut'
import { type DiskParts, createDisk } from '../../power/disk'
import type { Change } from '../../power/trace'

const [folder, a, b] = ['/data', '/data/a', '/data/b']
const old = Buffer.alloc(4_096, 'o')

/** A disk that starts with `a`, after these changes. Each sync covers the changes listed before it. */
function diskAfter(changes: Change[], isHonest?: DiskParts['isHonest']) {
  const start = new Map([
    [folder, null],
    [a, old],
  ])
  const disk = createDisk({ start, ...(isHonest && { isHonest }) })
  for (const [at, change] of changes.entries()) disk.apply(change, at)
  return disk
}
const write = (path: string, offset: number, bytes: Buffer): Change => ({ kind: 'write', path, offset, bytes })
const sync = (path: string, from: number): Change => ({ kind: 'sync', path, from })
const make = (path: string): Change => ({ kind: 'open', path, creates: true, empties: false })
/** The distinct contents that many power cuts of one kind leave in a file; null if the file is missing. */
const left = (disk: ReturnType<typeof createDisk>, path: string, manner: Manner) =>
  new Set(
    Array.from(
      { length: 200 },
      (_, n) => cutPower(disk, manner, chanceOf('cut', n)).get(path)?.toString('latin1') ?? null,
    ),
  )

describe('a disk that loses power', () => {
  const fresh = Buffer.alloc(4_096, 'n')

  it('keeps synced data, whatever the kind of power cut', () => {
    const disk = diskAfter([write(a, 0, fresh), sync(a, 1)])
    for (const manner of manners) expect([...left(disk, a, manner)]).toEqual([fresh.toString()])
  })

  it('may lose or keep unsynced data', () => {
    const disk = diskAfter([write(a, 0, fresh)])
    expect([...left(disk, a, 'nothing')]).toEqual([old.toString()])
    expect([...left(disk, a, 'everything')]).toEqual([fresh.toString()])
  })

  it('does not count data written after a sync began', () => {
    const disk = diskAfter([write(a, 0, fresh), write(a, 0, Buffer.from('later')), sync(a, 1)])
    expect([...left(disk, a, 'nothing')]).toEqual([fresh.toString()])
  })

  it('tears writes only at sector boundaries', () => {
    const torn = left(diskAfter([write(a, 0, fresh)]), a, 'torn')
    expect(torn.size).toBeGreaterThan(10)
    for (const text of torn) expect(text).toMatch(/^(?:o{512}|n{512}){8}$/)
  })

  it('reorders writes, but never shows a sector without its earlier writes', () => {
    const later = write(a, 3_584, Buffer.alloc(512, 'l'))
    const scattered = left(diskAfter([write(a, 0, fresh), later]), a, 'scattered')
    const ends = [...scattered].map((text) => `${text?.at(0) ?? ''}${text?.at(-1) ?? ''}`)
    expect(new Set(ends)).toEqual(new Set(['oo', 'on', 'ol', 'no', 'nn', 'nl']))
  })

  it('may show a new size without the new bytes', () => {
    const disk = diskAfter([write(a, 4_096, fresh)])
    const grown = [...left(disk, a, 'grown')]
    for (const text of grown) {
      expect(text).toHaveLength(8_192)
      expect(text?.slice(0, 4_096)).toBe(old.toString())
      expect(text?.slice(4_096)).not.toContain('n'.repeat(100))
    }
    expect(grown.some((text) => text?.endsWith('\0'.repeat(4_096)))).toBe(true)
  })

  it('loses a file whose name was not synced, even if its bytes were', () => {
    const changes = [make(b), write(b, 0, fresh), sync(b, 2)]
    expect([...left(diskAfter(changes), b, 'nothing')]).toEqual([null])
    expect([...left(diskAfter([...changes, sync(folder, 3)]), b, 'nothing')]).toEqual([fresh.toString()])
  })

  it('loses everything in a folder whose own name was not synced', () => {
    const inside = '/data/new/c'
    const changes: Change[] = [{ kind: 'make folder', path: '/data/new' }, make(inside), sync('/data/new', 2)]
    expect([...left(diskAfter(changes), inside, 'nothing')]).toEqual([null])
    expect([...left(diskAfter([...changes, sync(folder, 3)]), inside, 'nothing')]).toEqual([''])
  })

  it('keeps name changes in order', () => {
    const renamed: Change[] = [make(b), sync(folder, 1), { kind: 'rename', path: b, to: a }, make('/data/c')]
    const disk = diskAfter(renamed)
    for (let n = 0; n < 100; n++) {
      const image = cutPower(disk, 'scattered', chanceOf('names', n))
      // The rename comes before the new file, and is never half done.
      if (image.has('/data/c')) expect(image.has(b)).toBe(false)
      expect(image.get(a)?.length).toBe(image.has(b) ? old.length : 0)
    }
  })

  it('brings back a file whose removal was not synced', () => {
    const disk = diskAfter([{ kind: 'remove', path: a }])
    expect([...left(disk, a, 'nothing')]).toEqual([old.toString()])
    expect([...left(disk, a, 'everything')]).toEqual([null])
  })

  it('forgets synced data if it lies about syncs', () => {
    const disk = diskAfter([write(a, 0, fresh), sync(a, 1)], (path) => path !== a)
    expect([...left(disk, a, 'nothing')]).toEqual([old.toString()])
  })
})
