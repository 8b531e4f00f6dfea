import { describe, expect, it } from 'vitest'
import { say } from '../../../src-renderer/text/text.svelte'
import { objectionText } from '../../../src-renderer/receiving/count/count-text'
import { Counting } from '../../../src-renderer/receiving/count/counting.svelte'
import { Gate } from '../../../src-renderer/ui/gate.svelte'
import { Panes } from '../../../src-renderer/receiving/receiving.svelte'
import { CountId, DeliveryId } from '../../../src-shared/ids'
import { createClient } from '../../../src-shared/ipc/client'
import type { CountScanResult, CountView, CountedCase, Difference } from '../../../src-shared/ipc/contract/count'
import type { ScanOutcome } from '../../../src-renderer/scan/strip.svelte'
import { at, caseId, operation, operationId, tagId } from './examples'
import { createFakeWire } from './fake-wire'

const countId = CountId.parse('00000000-0000-4000-8000-00000000000a')
const deliveryId = DeliveryId.parse('00000000-0000-4000-8000-00000000000b')

const counted = (number: number, fields: Partial<CountedCase> = {}): CountedCase => ({
  caseId: caseId(number),
  identifier: `case ${number}`,
  productName: 'Blue Dream 3.5 g',
  tagCount: 24,
  counted: 0,
  ...fields,
})

const view = (fields: Partial<CountView> = {}): CountView => ({
  id: countId,
  deliveryId,
  caseId: null,
  startedAt: at,
  finishedAt: null,
  cases: [counted(1), counted(2)],
  total: 48,
  counted: 0,
  strangers: 0,
  canReopen: false,
  stations: [],
  ...fields,
})

const difference = (number: number, fields: Partial<Difference> = {}): Difference => ({
  tagId: tagId(number),
  kind: 'missing',
  caseId: caseId(1),
  identifier: 'case 1',
  productName: 'Blue Dream 3.5 g',
  resolution: 'open',
  operationId: null,
  group: 'missing 1',
  canCorrect: true,
  because: null,
  ...fields,
})

function create() {
  const fake = createFakeWire()
  const panes = new Panes()
  const subject = { deliveryId, isReading: false }
  const client = createClient(fake.wire)
  const counting = new Counting({ client, panes, subject: () => subject })
  client.on('receiving.counted', (change) => counting.counted(change))
  client.on('receiving.count', (count) => void counting.changed(count))
  return { fake, panes, counting, subject }
}

async function start(count = view()) {
  const made = create()
  const started = made.counting.start(null)
  await made.fake.emit('receiving.count', count)
  await made.fake.next('receiving.startCount').answer({ id: count.id })
  await started
  return made
}

const words = ({ tone, what, detail }: ScanOutcome) => [tone, say(what), detail && say(detail)]

/** Main tells what a scan changed, and answers it. */
async function scanned(made: Awaited<ReturnType<typeof start>>, finding: CountScanResult, count = view()) {
  const scan = made.counting.scan(tagId(1))
  await made.fake.emit('receiving.counted', { count, case: finding.kind === 'counted' ? finding.case : null })
  await made.fake.next('receiving.countTag').answer(finding)
  return scan
}

describe('a scan in a count', () => {
  it('names the product and says how many items of its case are counted', async () => {
    const made = await start()
    const one = counted(1, { counted: 7 })
    const outcome = await scanned(made, { kind: 'counted', case: one }, view({ counted: 9, cases: [one, counted(2)] }))
    expect(words(outcome)).toEqual(['good', 'Blue Dream 3.5 g: 7 of 24', '9 of 48 counted'])
    expect([made.counting.count?.counted, made.counting.lastCase]).toEqual([9, caseId(1)])
  })

  it('says when a case or the whole count is complete', async () => {
    const made = await start()
    const full = counted(1, { counted: 24 })
    const ofCase = await scanned(made, { kind: 'counted', case: full }, view({ counted: 24 }))
    expect(words(ofCase).at(-1)).toBe('This case is complete')
    const ofAll = await scanned(made, { kind: 'counted', case: full }, view({ counted: 48 }))
    expect(words(ofAll).at(-1)).toBe('Everything is here')
  })

  it('says what is wrong: counted before, other case, no case, unknown, refused, no connection to main', async () => {
    const made = await start()
    const repeat = await scanned(made, { kind: 'repeat', station: null, at, productName: 'Blue Dream 3.5 g' })
    expect(words(repeat).slice(0, 2)).toEqual(['attention', 'Already counted: Blue Dream 3.5 g'])
    expect(repeat.undo).toBeUndefined()
    const other = { kind: 'stranger', caseId: caseId(9), identifier: 'HF/0417', productName: 'OG Kush' } as const
    expect(words(await scanned(made, other)).slice(0, 2)).toEqual([
      'bad',
      'OG Kush belongs to case HF/0417: not part of this delivery',
    ])
    const none = { ...other, caseId: null, identifier: null, productName: null }
    expect(words(await scanned(made, none))[1]).toBe('Item belongs to no case: not part of this delivery')
    const unknown = await scanned(made, { kind: 'unknown', error: { code: 'service/unreachable' } })
    expect(words(unknown)).toEqual(['attention', 'Not known yet, kept', 'No connection to the service.'])
    expect(made.counting.unexpectedItems).toEqual([expect.objectContaining({ tagId: tagId(1), isUnknown: true })])

    const refused = made.counting.scan(tagId(2))
    await made.fake.next('receiving.countTag').refuse({ code: 'store/not-saved' })
    expect((await refused).tone).toBe('bad')
    const lost = made.counting.scan(tagId(2))
    await made.fake.next('receiving.countTag').disconnect()
    expect((await lost).tone).toBe('bad')
  })

  it('changes only its own case, and the count as main tells it, whatever the order of the answers', async () => {
    const { fake, counting } = await start()
    const [slow, quick] = [counting.scan(tagId(1)), counting.scan(tagId(2))]
    const late = fake.next('receiving.countTag')
    const of = (number: number) => counted(number, { counted: 1 })
    await fake.emit('receiving.counted', { count: view({ counted: 1 }), case: of(1) })
    await fake.emit('receiving.counted', { count: view({ counted: 2 }), case: of(2) })
    await fake.next('receiving.countTag').answer({ kind: 'counted', case: of(2) })
    await late.answer({ kind: 'counted', case: of(1) })
    expect((await quick).tone).toBe('good')
    const outcome = await slow
    expect(counting.count).toMatchObject({ counted: 2, cases: [{ counted: 1 }, { counted: 1 }] })
    const undone = outcome.undo?.()
    await fake.emit('receiving.counted', { count: view({ counted: 1 }), case: counted(1) })
    await fake.next('receiving.uncountTag').answer(null)
    await undone
    expect(counting.count).toMatchObject({ counted: 1, cases: [{ counted: 0 }, { counted: 1 }] })
    const other = CountId.parse('00000000-0000-4000-8000-00000000000f')
    await fake.emit('receiving.counted', { count: view({ id: other, counted: 9 }), case: null })
    expect(counting.count?.counted).toBe(1)
  })

  it('can be undone, even if the item is a stranger', async () => {
    const made = await start()
    const stranger = { kind: 'stranger', caseId: null, identifier: null, productName: null } as const
    const outcome = await scanned(made, stranger, view({ strangers: 1 }))
    const undone = outcome.undo?.()
    const asked = made.fake.next('receiving.uncountTag')
    expect(asked.input).toEqual({ countId, tagId: tagId(1) })
    await made.fake.emit('receiving.counted', { count: view(), case: null })
    await asked.answer(null)
    expect(words((await undone) ?? outcome)).toEqual(['good', 'Scan undone', '0 of 48 counted'])
    expect([made.counting.unexpectedItems, made.counting.count?.strangers]).toEqual([[], 0])
  })
})

describe('a count', () => {
  it('continues after a restart, with its strangers named, and opens by itself only once', async () => {
    const { fake, panes, counting } = create()
    const loaded = counting.load()
    await fake.next('receiving.openCount').answer(view({ counted: 7, strangers: 1 }))
    const stranger = difference(5, { kind: 'stranger', caseId: null, identifier: null })
    const count = view({ counted: 7, strangers: 1 })
    await fake
      .next('receiving.countDetail')
      .answer({ count, groups: [], differences: [difference(1), stranger], operations: [], behind: [] })
    await loaded
    expect([counting.isOn, panes.isCountOpen, counting.unexpectedItems.length]).toEqual([true, true, 1])
    panes.isCountOpen = false
    const again = counting.load()
    await fake.next('receiving.openCount').answer(view({ counted: 8, strangers: 1 }))
    await again
    expect([panes.isCountOpen, counting.count?.counted, fake.asked]).toEqual([false, 8, []])
  })

  it('continues if another window has started it', async () => {
    const { fake, counting } = create()
    const started = counting.start(null)
    await fake.next('receiving.startCount').refuse({ code: 'receiving/count-open' })
    await fake.next('receiving.openCount').answer(view({ counted: 3 }))
    await started
    expect([counting.count?.counted, counting.error]).toEqual([3, null])
  })

  it('of the delivery waits until the cases are read', async () => {
    const { fake, counting, subject } = create()
    subject.isReading = true
    expect(await counting.primary()).toMatchObject({ kind: 'shown', outcome: { tone: 'attention' } })
    expect(fake.asked).toEqual([])
    subject.isReading = false
    void counting.primary()
    expect(fake.next('receiving.startCount').input).toEqual({ caseId: null })
  })

  it('starts with its first scan, once, and counts what was scanned meanwhile', async () => {
    const { fake, counting, subject } = create()
    subject.isReading = true
    expect(words(await counting.scanFirst(tagId(1))).slice(0, 2)).toEqual([
      'attention',
      'Cases are still being read. Wait a moment.',
    ])
    subject.isReading = false
    const scans = [counting.scanFirst(tagId(1)), counting.scanFirst(tagId(2))]
    const asked = fake.next('receiving.startCount')
    expect(asked.input).toEqual({ caseId: null })
    await fake.emit('receiving.count', view())
    await asked.answer({ id: countId })
    for (const number of [1, 2]) {
      const tag = fake.next('receiving.countTag')
      expect(tag.input).toEqual({ countId, tagId: tagId(number) })
      await tag.answer({ kind: 'counted', case: counted(1, { counted: number }) })
    }
    expect((await Promise.all(scans)).map(({ tone }) => tone)).toEqual(['good', 'good'])
    expect(fake.asked).toEqual([])
  })

  it('says why its first scan could not start it', async () => {
    const { fake, counting } = create()
    const scan = counting.scanFirst(tagId(1))
    await fake.next('receiving.startCount').refuse({ code: 'store/not-saved' })
    expect((await scan).tone).toBe('bad')
  })

  it('finishes at once if nothing is missing, and asks first otherwise', async () => {
    const { fake, counting } = await start(view({ counted: 47 }))
    expect(await counting.primary()).toMatchObject({ kind: 'shown', outcome: { tone: 'attention' } })
    expect([counting.isAsking, fake.asked]).toEqual([true, []])
    // Another scan withdraws the question.
    const scan = counting.scan(tagId(1))
    expect(counting.isAsking).toBe(false)
    await fake.emit('receiving.counted', { count: view({ counted: 48 }), case: counted(1) })
    await fake.next('receiving.countTag').answer({ kind: 'counted', case: counted(1) })
    await scan
    const finished = counting.primary()
    await fake.emit('receiving.count', view({ counted: 48, finishedAt: at }))
    await fake.next('receiving.finishCount').answer(null)
    await fake.next('receiving.countDetail').answer({
      count: view({ counted: 48, finishedAt: at }),
      groups: [],
      differences: [],
      operations: [],
      behind: [],
    })
    expect(await finished).toMatchObject({ kind: 'shown', outcome: { tone: 'good' } })
    expect([counting.isOn, counting.differences?.all]).toEqual([false, []])
    expect(await counting.primary()).toEqual({ kind: 'nothing' })
  })

  it('follows another page that starts, finishes and resolves it', async () => {
    const { fake, counting, panes } = create()
    await fake.emit('receiving.count', view({ counted: 2 }))
    expect([counting.isOn, counting.count?.counted, panes.isCountOpen]).toEqual([true, 2, false])
    const count = view({ counted: 2, finishedAt: at })
    await fake.emit('receiving.count', count)
    await fake
      .next('receiving.countDetail')
      .answer({ count, groups: [], differences: [difference(1)], operations: [], behind: [] })
    expect([counting.isOn, counting.differences?.open.length]).toEqual([false, 1])
    const resolved = [difference(1, { resolution: 'ignored' })]
    await fake.emit('receiving.count', count)
    await fake
      .next('receiving.countDetail')
      .answer({ count, groups: [], differences: resolved, operations: [], behind: [] })
    expect(counting.differences?.open).toEqual([])
    // A count that this page does not show.
    await fake.emit('receiving.count', { ...count, id: CountId.parse('00000000-0000-4000-8000-00000000000f') })
    expect([counting.count?.id, fake.asked]).toEqual([countId, []])
  })

  it('is gone on with when it is reopened, here or on another page', async () => {
    const { fake, counting } = create()
    const count = view({ counted: 2, finishedAt: at, canReopen: true })
    const shown = counting.show(count)
    await fake.next('receiving.countDetail').answer({ count, groups: [], differences: [], operations: [], behind: [] })
    await shown
    const reopened = counting.reopen()
    await fake.emit('receiving.count', view({ counted: 2 }))
    await fake.next('receiving.reopenCount').answer(null)
    await reopened
    expect([counting.isOn, counting.differences, counting.count?.counted]).toEqual([true, null, 2])
  })

  it('says why it could not be reopened', async () => {
    const { fake, counting } = create()
    const count = view({ finishedAt: at, canReopen: true })
    const shown = counting.show(count)
    await fake.next('receiving.countDetail').answer({ count, groups: [], differences: [], operations: [], behind: [] })
    await shown
    const reopened = counting.reopen()
    await fake.next('receiving.reopenCount').refuse({ code: 'receiving/count-over' })
    await reopened
    expect([counting.isOn, counting.error?.code]).toEqual([false, 'receiving/count-over'])
  })

  it("is over with its delivery: the next scan isn't counted", async () => {
    const { counting } = await start(view({ counted: 2 }))
    counting.forget()
    expect([counting.isOn, counting.count, counting.isAsking]).toEqual([false, null, false])
  })

  it('stays open when it could not be finished', async () => {
    const { fake, counting } = await start(view({ counted: 48 }))
    const finished = counting.finish()
    await fake.next('receiving.finishCount').refuse({ code: 'store/not-saved' })
    await finished
    expect([counting.isOn, counting.error?.code]).toEqual([true, 'store/not-saved'])
  })
})

async function open(differences: Difference[], operations = [operation({ kind: 'remove-item' })], fields = {}) {
  const made = create()
  const count = view({ finishedAt: at, ...fields })
  const shown = made.counting.show(count)
  await made.fake.next('receiving.countDetail').answer({ count, groups: [], differences, operations, behind: [] })
  await shown
  const found = made.counting.differences
  if (!found) throw new Error('no differences')
  const detail = (next: Difference[]) =>
    made.fake.next('receiving.countDetail').answer({ count, groups: [], differences: next, operations: [], behind: [] })
  return { ...made, differences: found, detail }
}

describe('differences', () => {
  const stranger = difference(5, { kind: 'stranger', caseId: caseId(9), identifier: 'elsewhere' })

  it('are resolved together if ticked, those of all cases with one request', async () => {
    const all = [difference(1), difference(2, { caseId: caseId(2) }), difference(3), stranger]
    const { fake, differences, detail } = await open(all)
    for (const number of [1, 2]) differences.tick(tagId(number))
    const resolved = differences.resolve('remove', differences.missing)
    const asked = fake.next('receiving.resolve')
    const changes = [1, 2].map((number) => ({ caseId: caseId(number), tagIds: [tagId(number)] }))
    expect(asked.input).toEqual({ countId, changes, how: 'remove' })
    await asked.answer([operation({ kind: 'remove-item' })])
    await detail(all.map((one) => ({ ...one, resolution: 'removed' as const })))
    await resolved
    expect([differences.ticked.size, differences.open]).toEqual([0, []])
  })

  it('are listed under their causes, ticked by cause, and only what the service can be told is offered for it', async () => {
    const [ours, theirs] = [difference(1, { group: 'a' }), difference(2, { group: 'b', canCorrect: false })]
    const made = create()
    const count = view({ finishedAt: at })
    const group = { caseId: caseId(1), identifier: 'case 1', reason: null, cause: 'missing', count: 1 } as const
    const groups = [
      { ...group, key: 'a', objection: null },
      { ...group, key: 'b', objection: { why: 'other-company', company: 'Hudson Fields' } as const },
    ]
    const shown = made.counting.show(count)
    await made.fake
      .next('receiving.countDetail')
      .answer({ count, groups, differences: [ours, theirs], operations: [], behind: [] })
    await shown
    const found = made.counting.differences
    if (!found) throw new Error('no differences')
    expect(found.lines.map(({ kind, key }) => [kind, key])).toEqual([
      ['group', 'a'],
      ['difference', tagId(1)],
      ['group', 'b'],
      ['difference', tagId(2)],
    ])
    const [, , second] = found.lines
    if (second?.kind !== 'group') throw new Error('no heading')
    found.tickGroup(second.group)
    expect([found.ticksOf(second.group), found.missing, found.onlyIgnored]).toEqual(['all', [], [theirs]])
    expect(objectionText(second.group)).toMatchObject({ values: { company: 'Hudson Fields' } })
    found.tickAll()
    expect(found.missing).toEqual([ours])
    found.tickGroup(second.group)
    expect(found.ticksOf(second.group)).toBe('none')
  })

  it('are ignored with one reason, after a question that says how many refused reports go with them', async () => {
    const refused = difference(1, { operationId: operationId(1) })
    const report = operation({ id: operationId(1), kind: 'remove-item', state: 'rejected' })
    const { fake, differences, detail } = await open([refused, difference(2)], [report])
    differences.ask('ignore', differences.open)
    expect(differences.refusedOf(differences.asking ?? [])).toBe(1)
    const answered = differences.answer('the brand knows')
    const asked = fake.next('receiving.resolve')
    expect(asked.input).toMatchObject({
      how: 'ignore',
      changes: [{ tagIds: [tagId(1), tagId(2)] }],
      because: 'the brand knows',
    })
    await asked.answer([])
    await detail([])
    await answered
    expect(differences.asking).toBeNull()
  })

  it('are taken over from a station that is off, with a reason, and name stations that may have more scans', async () => {
    const { fake, differences } = await open([difference(1)])
    const gate = new Gate(createClient(fake.wire))
    const resolved = differences.resolve('remove', differences.open)
    await fake
      .next('receiving.resolve')
      .refuse({ code: 'receiving/settled-elsewhere', station: 'Station 2', isOff: true })
    const detail = (behind: string[]) => ({
      count: view(),
      groups: [],
      differences: [difference(1)],
      operations: [],
      behind,
    })
    await fake.next('receiving.countDetail').answer(detail(['Station 2']))
    await resolved
    expect(differences.behind).toEqual(['Station 2'])
    expect(differences.isLeftBehind).toBe(true)
    const taken = differences.takeOver(gate)
    await fake.next('security.view').refuse({ code: 'store/not-saved' })
    expect(gate.asked).toMatchObject({ wants: 'pin', means: { values: { station: 'Station 2', needsPin: 'yes' } } })
    ;[gate.reason, gate.pin] = ['No power there', '1234']
    const passing = gate.submit()
    const asked = fake.next('receiving.takeOverSettling')
    expect(asked.input).toMatchObject({ approval: { reason: 'No power there', pin: '1234' } })
    await asked.answer(null)
    await fake.next('receiving.countDetail').answer(detail([]))
    await Promise.all([taken, passing])
    expect([differences.isLeftBehind, differences.error, differences.behind]).toEqual([false, null, []])
  })

  it('are added to a case only once a person has chosen it', async () => {
    const { fake, differences, detail } = await open([stranger])
    differences.tickAll()
    await Promise.race([differences.resolve('add', differences.unexpectedItems), Promise.resolve()])
    expect(fake.asked.some(({ call }) => call === 'receiving.resolve')).toBe(false)
    await detail([stranger])
    differences.target = caseId(2)
    void differences.resolve('add', differences.unexpectedItems)
    expect(fake.next('receiving.resolve').input).toMatchObject({ changes: [{ caseId: caseId(2) }], how: 'add' })
  })

  it('are added to the counted case if the count covers only one', async () => {
    const { differences } = await open([stranger], [], { caseId: caseId(1), cases: [counted(1)] })
    expect(differences.target).toBe(caseId(1))
  })

  it('show why a step was refused, and stay', async () => {
    const { fake, differences, detail } = await open([difference(1)])
    expect(differences.missing).toEqual([])
    differences.tickAll()
    const resolved = differences.resolve('remove', differences.missing)
    await fake.next('receiving.resolve').refuse({ code: 'receiving/no-case-changes' })
    await detail([difference(1)])
    await resolved
    expect([differences.error?.code, differences.open.length, differences.isBusy]).toEqual([
      'receiving/no-case-changes',
      1,
      false,
    ])
  })

  it('can be reopened: an ignored one at once, a reported one by the inverse report', async () => {
    const reported = difference(2, { resolution: 'removed', operationId: operationId(1) })
    const ignored = difference(1, { resolution: 'ignored' })
    const removal = operation({ kind: 'remove-item', undo: 'inverse' })
    const { fake, differences, detail } = await open([ignored, reported], [removal])
    const opened = differences.undo(ignored)
    const asked = fake.next('receiving.resolve')
    expect(asked.input).toMatchObject({ how: 'open', changes: [{ tagIds: [tagId(1)] }] })
    await asked.answer([])
    await detail([difference(1), reported])
    await opened
    const undone = differences.undo(reported)
    const inverse = operation({ id: operationId(2), seq: 2, kind: 'restore-item', state: 'queued' })
    await fake.next('receiving.undo').answer(inverse)
    await detail([difference(1), reported])
    await undone
    expect(differences.inverseOf(reported)?.id).toBe(operationId(2))
    // The inverse is accepted: the difference is open again.
    differences.operationChanged({ ...inverse, state: 'accepted' })
    await detail([difference(1), difference(2)])
    expect(differences.open.length).toBe(2)
  })

  it('follow only their own reports', async () => {
    const reported = difference(2, { resolution: 'removed', operationId: operationId(1) })
    const { fake, differences } = await open([reported])
    differences.operationChanged(operation({ id: operationId(7), kind: 'complete', state: 'accepted' }))
    expect(fake.asked).toEqual([])
    differences.operationChanged(operation({ kind: 'remove-item', state: 'sending' }))
    expect([differences.operationOf(reported)?.state, fake.asked]).toEqual(['sending', []])
  })
})
