import { randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../../src-main/database/open'
import { OperationId } from '../../../src-shared/ids'
import { type Expected, judge } from '../../power/judge'
import { readKept } from '../../power/kept'
import type { Line } from '../../power/notebook'
import { databaseIn } from '../../power/old-data'
import { type Promises, followPromises } from '../../power/promises'
import { type Recording, filesIn } from '../../power/record'
import { judgeStates, layOut, lies } from '../../power/run'
import { recordUntraced } from './untraced'

describe('the judge of the power suite', () => {
  let made: ReturnType<typeof recordUntraced>
  let recording: Recording
  let promises: Promises
  let ends: NonNullable<Expected['ends']>

  const promisesAfter = (lines: readonly Line[]) => {
    const follow = followPromises(lines)
    for (const line of lines) follow.take(line)
    return follow.now()
  }
  /** A copy of the data as it was at the end. */
  const copy = () => {
    const folder = mkdtempSync(join(made.folder, 'copy-'))
    const prefix = join(recording.dataDir, 'practice')
    const files = [...filesIn(prefix)].filter(([path]) => path !== prefix)
    layOut(new Map(files.map(([path, bytes]) => [path.slice(prefix.length + 1), bytes])), folder)
    return folder
  }
  const complaints = (changed: Partial<Expected> = {}) =>
    judge(copy(), { promises, ends, old: new Map(), ...changed }).complaints.map(({ kind }) => kind)

  beforeAll(() => {
    made = recordUntraced(12)
    recording = made.recording
    promises = promisesAfter(recording.lines)
    const store = openStore(databaseIn(copy()))
    ends = readKept(store.db).operations
    store.close()
  })
  afterAll(() => {
    made.remove()
  })

  it('accepts a day without a power cut', () => {
    expect(promises.count).toBe(12)
    expect(complaints()).toEqual([])
  })

  it('reports a missing sale that was shown as saved', () => {
    const [one] = promises.operations.values()
    if (!one) throw new Error('no promise was made')
    const operations = new Map([...promises.operations, ['gone', { ...one, id: OperationId.parse(randomUUID()) }]])
    expect(complaints({ promises: { ...promises, operations } })).toEqual(['lost'])
  })

  it('reports a missing step that was shown', () => {
    const [one] = promises.operations.values()
    if (!one) throw new Error('no promise was made')
    const operations = new Map([...promises.operations, [one.id, { ...one, states: ['queued', 'accepted'] as const }]])
    const end = ends.get(one.id)
    if (!end) throw new Error('no such operation')
    const further = new Map([...ends, [one.id, { ...end, steps: [...end.steps, 'accepted>accepted'] }]])
    expect(complaints({ promises: { ...promises, operations }, ends: further })).toEqual(['lost'])
  })

  it('reports an operation that no call requested', () => {
    const operations = new Map([...promises.operations].slice(1))
    expect(complaints({ promises: { ...promises, operations } })).toEqual(['doubled'])
    const mayAppear = new Set(promises.operations.keys())
    expect(complaints({ promises: { ...promises, operations, mayAppear } })).toEqual([])
  })

  it('reports a report that was sent but is not recorded as sent, since it would be sent again without a check', () => {
    expect(complaints({ promises: { ...promises, sent: new Map([['complete ORDER-0', 1]]) } })).toEqual(['doubled'])
  })

  it('reports a cart, an order on hold, a setting and a backup that differ from what was answered', () => {
    const cart = { orderId: 'X', tagIds: ['Y'] }
    expect(complaints({ promises: { ...promises, carts: { sale: [cart], return: [] } } })).toEqual(['lost'])
    const held = [[{ id: 3, orderId: null, itemCount: 1 }]]
    expect(complaints({ promises: { ...promises, held } })).toEqual(['lost'])
    expect(complaints({ promises: { ...promises, settings: new Map([['locale', ['es']]]) } })).toEqual(['lost'])
    const backups = [{ name: 'countertag-20261123T000000Z.db', operations: [] }]
    expect(complaints({ promises: { ...promises, backups } })).toEqual(['lost'])
  })

  it('reports an emptied cart without its operation, but not a cart whose operation is saved', () => {
    const [id = ''] = promises.operations.keys()
    const finishing = (operation: string) => [{ mode: 'sale' as const, operations: [operation] }]
    expect(complaints({ promises: { ...promises, finishing: finishing('gone') } })).toEqual(['lost'])
    expect(complaints({ promises: { ...promises, finishing: finishing(id) } })).toEqual([])
  })

  it('reports a missing row of the old data', () => {
    expect(complaints({ old: new Map([['setting', ['{"name":"was","value":"here"}']]]) })).toEqual(['lost'])
  })

  it('finds every promise kept on an honest disk, and some broken if syncs of the log do nothing', () => {
    const parts = { recording, folder: made.folder, states: 60, seed: 1 }
    const honest = judgeStates(parts)
    expect(honest.states).toBe(60)
    expect(honest.losing).toBe(0)
    expect(judgeStates({ ...parts, isHonest: (path) => !lies.log(path) }).losing).toBeGreaterThan(5)
  })
})
