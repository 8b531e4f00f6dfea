import { setImmediate as settled } from 'node:timers/promises'
import type { Clock, Timers } from '../../src-main/core/clock'

export type VirtualTime = ReturnType<typeof createVirtualTime>

interface Entry {
  at: number
  /** Those of one moment run in the order in which they were set. */
  order: number
  call: () => void
  isCancelled: boolean
}

const isBefore = (a: Entry, b: Entry) => a.at < b.at || (a.at === b.at && a.order < b.order)

/** A clock with timers that jumps from one timer to the next; all of them in whole ms. */
export function createVirtualTime(start: number) {
  /** A binary heap, the earliest first. */
  const heap: Entry[] = []
  let now = start
  let order = 0

  const push = (entry: Entry) => {
    let place = heap.length
    for (;;) {
      const above = (place - 1) >> 1
      const parent = heap[above]
      if (place === 0 || parent === undefined || !isBefore(entry, parent)) break
      heap[place] = parent
      place = above
    }
    heap[place] = entry
  }
  const pop = (): Entry | undefined => {
    const [first] = heap
    const last = heap.pop()
    if (first === undefined || last === undefined || first === last) return first
    let place = 0
    for (;;) {
      const left = heap[2 * place + 1]
      const right = heap[2 * place + 2]
      if (left === undefined) break
      const isRight = right !== undefined && isBefore(right, left)
      const child = isRight ? right : left
      if (!isBefore(child, last)) break
      heap[place] = child
      place = 2 * place + (isRight ? 2 : 1)
    }
    heap[place] = last
    return first
  }

  const clock: Clock = { now: () => now }
  const timers: Timers = {
    monotonic: () => now,
    after(ms, call) {
      const entry = { at: now + Math.ceil(ms), order: order++, call, isCancelled: false }
      push(entry)
      return () => {
        entry.isCancelled = true
      }
    },
  }

  return {
    clock,
    timers,
    /** Runs until nothing is left to do before `end`, or `isOver` says so. Promises settle between two moments. */
    async run(end: number, isOver: () => boolean = () => false): Promise<void> {
      for (let next = heap[0]; next !== undefined && next.at <= end && !isOver(); next = heap[0]) {
        now = next.at
        while (heap[0]?.at === now) {
          const entry = pop()
          if (entry?.isCancelled === false) entry.call()
        }
        await settled()
      }
      if (!isOver()) now = Math.max(now, end)
    },
    /** Lets `ms` pass in which nothing runs, as if all computers slept. */
    skip(ms: number): void {
      now += ms
      for (const entry of heap) entry.at += ms
    },
  }
}

/** Numbers in [0, 1) that repeat with the same seed: mulberry32. */
export function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
