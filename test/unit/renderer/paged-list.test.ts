import { describe, expect, it } from 'vitest'
import type { AppError } from '../../../src-shared/errors'
import { type Result, err, ok } from '../../../src-shared/result'
import { type Page, PagedList } from '../../../src-renderer/ui/paged-list.svelte'

type Numbers = Page<number, number, string>

/** A list of numbers in pages of two, which the test answers when it chooses. */
function listOf(last: number, { total }: { total?: number } = {}) {
  const asked: { from: number | null; answer: () => void; refuse: () => void }[] = []
  const pageAt = (from: number | null): Numbers => {
    const first = from ?? 1
    const rows = [first, first + 1].filter((row) => row <= last)
    return { rows, next: first + 2, head: `from ${first}`, ...(total !== undefined && { total }) }
  }
  const list = new PagedList<number, number, string>((from) => {
    const { promise, resolve } = Promise.withResolvers<Result<Numbers, AppError>>()
    asked.push({ from, answer: () => resolve(ok(pageAt(from))), refuse: () => resolve(err({ code: 'service/busy' })) })
    return promise
  })
  const next = () => {
    const one = asked.shift()
    if (!one) throw new Error('nothing was asked')
    return one
  }
  const answered = async (reading: Promise<unknown>, pages = 1) => {
    for (let page = 0; page < pages; page++) {
      next().answer()
      await new Promise((resolve) => setTimeout(resolve))
    }
    await reading
  }
  return { list, asked, next, answered }
}

describe('a list in pages', () => {
  it('is read page by page, until a page is empty', async () => {
    const { list, asked, answered } = listOf(4)
    expect([list.rows, list.isWhole]).toEqual([null, false])
    await answered(list.load())
    await answered(list.more())
    expect([list.rows, list.isWhole, list.total]).toEqual([[1, 2, 3, 4], false, 4])
    await answered(list.more())
    expect([list.rows, list.isWhole]).toEqual([[1, 2, 3, 4], true])
    await list.more()
    expect(asked).toEqual([])
  })

  it('ends where the total says so', async () => {
    const { list, asked, answered } = listOf(9, { total: 2 })
    await answered(list.load())
    await list.more()
    expect([list.isWhole, list.total, asked]).toEqual([true, 2, []])
  })

  it('reads as many pages again as are shown', async () => {
    const { list, answered } = listOf(9, { total: 9 })
    await answered(list.load())
    await answered(list.more())
    list.patch((rows) => rows.map((row) => row * 10))
    expect(list.rows).toEqual([10, 20, 30, 40])
    await answered(list.reload(), 2)
    expect([list.rows, list.head]).toEqual([[1, 2, 3, 4], 'from 3'])
  })

  it('keeps what an event said while the next page was read', async () => {
    const { list, answered } = listOf(9)
    await answered(list.load())
    const more = list.more()
    list.patch((rows) => rows.map((row) => row * 10))
    await answered(more)
    expect(list.rows).toEqual([10, 20, 3, 4])
  })

  it('shows only the answer to the newest question, and reads on for no older one', async () => {
    const { list, asked, next, answered } = listOf(9)
    await answered(list.load())
    await answered(list.more())
    const older = list.reload()
    const first = next()
    const newer = list.load()
    first.answer()
    await older
    expect(asked).toHaveLength(1)
    await answered(newer)
    expect([list.rows, list.isPastFirst]).toEqual([[1, 2], false])
  })

  it('asks once for a page, and knows that a person has gone on', async () => {
    const { list, asked, answered } = listOf(9)
    await answered(list.load())
    const more = list.more()
    await list.more()
    expect([asked.length, list.isPastFirst]).toEqual([1, true])
    await answered(more)
    expect(list.rows).toEqual([1, 2, 3, 4])
  })

  it('keeps its rows if a page can’t be read, says why, and can be read again', async () => {
    const { list, next, answered } = listOf(9)
    await answered(list.load())
    const more = list.more()
    next().refuse()
    await more
    expect([list.rows, list.error?.code, list.isPastFirst]).toEqual([[1, 2], 'service/busy', false])
    await answered(list.more())
    expect([list.rows, list.error]).toEqual([[1, 2, 3, 4], null])
    list.clear()
    expect(list.rows).toBeNull()
  })
})
