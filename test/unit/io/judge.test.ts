import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Complaint, judgeLife } from '../../io/judge'
import type { End } from '../../io/strace'
import type { Line } from '../../power/notebook'
import { databaseIn } from '../../power/old-data'
import { recordUntraced } from '../power/untraced'

describe('the judge of the io suite', () => {
  let made: ReturnType<typeof recordUntraced>
  let lines: readonly Line[]

  beforeAll(() => {
    made = recordUntraced(4)
    lines = made.recording.lines
  })
  afterAll(() => {
    made.remove()
  })

  const killed: End = { code: null, signal: 'SIGKILL', said: '', out: '', isTooLong: false }
  /** A copy of the data as the station left it. */
  const copy = () => {
    const folder = mkdtempSync(join(made.folder, 'copy-'))
    cpSync(join(made.recording.dataDir, 'practice'), folder, { recursive: true })
    return folder
  }
  interface Case {
    lines?: readonly Line[]
    /** The lines of the life before; usually none. */
    before?: number
    end?: Partial<End>
    folder?: string
  }
  const kinds = ({ lines: seen = lines, before = 0, end = {}, folder = copy() }: Case): Complaint['kind'][] =>
    judgeLife({ folder, lines: seen, before, end: { ...killed, ...end } }).complaints.map(({ kind }) => kind)

  const asks: Line = { line: 'asks', call: 'x', name: 'enqueue', input: null }
  const promise = (id: string): Line[] => [
    asks,
    {
      line: 'answered',
      call: 'x',
      answer: { ok: true, value: { id, kind: 'complete', state: 'queued', orderId: 'X', caseId: null, itemCount: 2 } },
    },
  ]
  const refused = (error: object): Line[] => [asks, { line: 'answered', call: 'x', answer: { ok: false, error } }]

  it('accepts what the station had answered', () => {
    expect(kinds({})).toEqual([])
    expect(judgeLife({ folder: copy(), lines, before: 0, end: killed }).promises).toBe(4)
  })

  it('calls an answer false that isn’t so', () => {
    expect(kinds({ lines: [...lines, ...promise(randomUUID())] })).toEqual(['false saved'])
  })

  it('calls it lost if it was there before this life', () => {
    const seen = [...lines, ...promise(randomUUID())]
    expect(kinds({ lines: seen, before: seen.length })).toContain('lost')
  })

  it('calls it lost if the database was set aside, or looks damaged', () => {
    const folder = copy()
    writeFileSync(join(folder, 'countertag.db.damaged-20261127T120000Z'), '')
    expect(kinds({ folder })).toEqual(['lost'])
    const broken = copy()
    const bytes = readFileSync(databaseIn(broken))
    writeFileSync(databaseIn(broken), bytes.fill(0x5a, 0, 4_096))
    expect(kinds({ folder: broken })).toContain('lost')
  })

  it('calls a sale revived whose answer was that it isn’t saved', () => {
    // The last call's answer, changed to a refusal: the sale is there.
    const seen = lines.map((line, n): Line =>
      n === lines.length - 1 && line.line === 'answered'
        ? { ...line, answer: { ok: false, error: { code: 'store/not-saved' } } }
        : line,
    )
    expect(kinds({ lines: seen })).toEqual(['revived'])
  })

  it('accepts a start that the disk prevents, but not that it is told as damage', () => {
    const saying = (code: string) => ({ code: 0, signal: null, out: JSON.stringify({ code, message: 'Because.' }) })
    expect(kinds({ end: saying('store/no-access') })).toEqual([])
    expect(kinds({ end: saying('store/damaged') })).toEqual(['mistaken'])
  })

  it('complains of a process that ended by itself or did not end, and of a bug', () => {
    expect(kinds({ end: { code: 1, signal: null, said: 'TypeError' } })).toEqual(['broken'])
    expect(kinds({ end: { isTooLong: true } })).toEqual(['broken'])
    expect(kinds({ lines: [...lines, ...refused({ code: 'app/unexpected', reference: 'x' })] })).toEqual(['broken'])
    expect(kinds({ lines: [...lines, ...refused({ code: 'store/not-saved' })] })).toEqual([])
  })
})
