import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { OperationView } from '../../src-shared/ipc/operation-view'
import type { CallInput, CallName, CallOutput } from '../../src-shared/ipc/contract'
import { type Started, createClerk } from './clerk'
import { type Complaint, type Report, heldOf, isUnsettled, oddMoments, secretsIn, untruthsOf } from './judge'
import type { Misbehaviour } from './misbehaviour'
import type { Lot } from './shop'
import { account } from './shop'
import type { Stand } from './stand'

/** What one row showed. */
export interface Verdict {
  row: Misbehaviour
  complaints: Complaint[]
  /** From the moment that the service was well until the other operation was settled, in s; null: never. */
  recovery: number | null
  /** In MB; undefined where the system doesn't say. */
  memory: number | undefined
}

/** The station answers a screen within this time, in ms: the suite shares its processors with other stations. */
const promptly = 10_000
/** No screen needs an answer of more characters. */
const longestAnswer = 1_000_000
/** From the moment that the service is well, in ms. */
const recoveryLimit = 15_000
const settleLimit = 40_000
const memoryLimit = 300
/** Calls that show a customer to the person at the counter. */
const showsCustomer = new Set(['checkout.cart', 'checkout.setCustomer', 'checkout.setOrder', 'checkout.addItem'])

const today = () => {
  const now = new Date()
  return `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}-${String(now.getDate()).padStart(2, '0')}`
}

export async function tryRow(row: Misbehaviour, stand: Stand, lot: Lot, number: number): Promise<Verdict> {
  const { service } = stand
  const { child } = stand
  const complaints = new Map<string, Complaint>()
  const complain = (kind: Complaint['kind'], text: string) => {
    complaints.set(`${kind} ${text}`, { kind, text })
  }
  const add = (all: readonly Complaint[]) => {
    for (const { kind, text } of all) complain(kind, text)
  }
  const orderId = `H-${number}`
  const customerId = `CUSTOMER-${number}-5d81c3`
  const secrets = { clientSecret: account.clientSecret, customerId }
  const named = () =>
    new Map([
      ['the client secret', account.clientSecret],
      ['the customer', customerId],
      ...[...service.tokens].map((token) => ['a token', token] as const),
    ])
  let isOver = false
  child.onAnswer((call, text, ms) => {
    if (isOver) return
    if (text === '') complain('slow', `${call} was never answered`)
    else if (ms > promptly) complain('slow', `${call} took ${(ms / 1_000).toFixed(1)} s`)
    if (text.length > longestAnswer) complain('unbounded', `the answer of ${call} has ${text.length} characters`)
    for (const [name, secret] of named()) {
      if (text.includes(secret) && !(name === 'the customer' && showsCustomer.has(call))) {
        complain('secret', `${name} is in the answer of ${call}`)
      }
    }
  })

  const clerk = createClerk(child.client)
  const strayedBefore = service.strayed()
  let recovery: number | null = null
  try {
    await clerk.prepare(row.kind, orderId, lot)
    child.memory()
    service.misbehave(row, secrets)
    await work()
  } catch (cause) {
    complain('error', cause instanceof Error ? cause.message : String(cause))
  }
  service.heal()
  if (service.strayed() > strayedBefore) complain('secret', 'the station followed an address to another host')
  const memory = child.memory()
  if (memory !== undefined && memory > memoryLimit) complain('memory', `${memory.toFixed(0)} MB`)
  if (!child.isAlive()) complain('dead', `the process ended: ${child.said().slice(-300)}`)
  add(secretsIn(stand.dataDir, named()))
  isOver = true
  // A process that has ended answers nothing: what else was said of it is only that.
  const dead = [...complaints.values()].filter(({ kind }) => kind === 'dead' || kind === 'memory')
  return { row, complaints: child.isAlive() ? [...complaints.values()] : dead, recovery, memory }

  /** A call that every screen makes; an error of it is a complaint. */
  async function must<Name extends CallName>(
    name: Name,
    input: CallInput<Name>,
  ): Promise<CallOutput<Name> | undefined> {
    const answer = await child.client.call(name, input)
    if (answer.ok) return answer.value
    complain('error', `${name} failed: ${answer.error.code}`)
    return undefined
  }

  async function work(): Promise<void> {
    const main = await startMain()
    const crowd: Started[] = []
    for (const [n, tagId] of lot.crowd.slice(0, row.crowd ?? 0).entries()) {
      crowd.push(await clerk.sell(`${orderId}-crowd-${n}`, tagId))
    }
    const other = await clerk.sell(`${orderId}-other`, lot.otherTagId).catch((cause: unknown) => {
      complain('error', `another sale could not be made: ${String(cause)}`)
      return undefined
    })
    await meet()
    const both = [main, ...(other ? [other] : []), ...crowd]
    for (const { report } of both) await look(report)
    if (row.looksUp) await lookUp()
    await pause(row.goesOnFor ?? 0)
    if (row.shows) await shows(row.shows)
    for (const { report, answer } of both) await hear(report, await answer)
    for (const { report } of both) await look(report)

    service.heal()
    const healedAt = performance.now()
    if (row.sendsNow) await must('outbox.sendNow', undefined)
    if (other) {
      const isSettled = await settled(other.report, healedAt + recoveryLimit)
      recovery = isSettled ? (performance.now() - healedAt) / 1_000 : null
      if (!isSettled) complain('slow', `another operation was not settled within 15 s: ${await stateOf(other.report)}`)
    }
    for (const { report } of both) {
      if (!(await settled(report, healedAt + settleLimit))) {
        complain('lost', `not settled ${settleLimit / 1_000} s after the service was well: ${await stateOf(report)}`)
        continue
      }
      await look(report)
      await persons(report)
      await judgeEnd(report)
    }
    await must('checkout.day', { day: today() })
    await onlineAgain(healedAt + recoveryLimit)
  }

  /** Scans and reports. What can't be scanned meanwhile, for a reading says so, is done once the service is well. */
  async function startMain(): Promise<Started> {
    try {
      return await clerk.start(row.kind, orderId, lot, customerId)
    } catch (cause) {
      const text = String(cause)
      if (!/checkout.addItem: .*"(service|scan|checkout)\//.test(text)) throw cause
      service.heal()
      return clerk.start(row.kind, orderId, lot, customerId)
    }
  }

  /** Until the station has met the misbehaviour. */
  async function meet(): Promise<void> {
    const until = performance.now() + 5_000
    while (service.met() === 0 && performance.now() < until) await pause(20)
    if (service.met() === 0) complain('error', 'the station never met it')
  }

  /** What the call that reported it said, while nothing could be known for certain. */
  async function hear(report: Report, answer: Awaited<Started['answer']>): Promise<void> {
    if (answer.ok) {
      add(untruthsOf(answer.value, { before: false, after: isHeld(report) }, 'the call that reported it'))
      return
    }
    const saved = await clerk.find(report).catch(() => undefined)
    const where = saved ? 'though it is saved' : 'and it is in no list'
    complain('untrue', `the call that reported it said ${answer.error.code}, ${where}`)
  }

  function isHeld(report: Report): boolean {
    return heldOf(service.admin, report).times > 0
  }

  /** All that a screen shows of it. */
  async function look(report: Report): Promise<void> {
    const before = isHeld(report)
    await must('app.status', undefined)
    const views: [string, OperationView][] = []
    for (const show of ['waiting', 'attention', 'recent'] as const) {
      const list = await must('outbox.list', { show })
      const view = list?.operations.find(
        ({ kind, orderId: order, caseId }) =>
          kind === report.kind && (order === report.subject || caseId === report.subject),
      )
      if (view) views.push([`outbox.list (${show})`, view])
    }
    const filter = { day: null, state: null, budtenderId: null, text: '' }
    const page = await must('checkout.orders', { filter, before: null })
    await must('checkout.day', { day: today() })
    const after = isHeld(report)
    for (const [where, view] of views) add(untruthsOf(view, { before, after }, where))
    const order = page?.orders.find((one) => one.orderId === report.subject)
    if (report.kind === 'complete' && order?.state === 'reported' && !after) {
      complain('untrue', 'checkout.orders says reported, and the service does not have it')
    }
  }

  /** Readings that a screen asks for meanwhile: they are answered, or refused with a reason. */
  async function lookUp(): Promise<void> {
    const asked: [CallName, unknown][] = [
      ['receiving.case', { identifier: lot.caseId }],
      ['receiving.package', { packageUid: lot.packageUid }],
      ['find.search', { text: 'Product' }],
      ['find.thing', { kind: 'tag', id: lot.tagId }],
      ['find.thing', { kind: 'collection', id: lot.caseId }],
      ['find.removed', { type: null }],
    ]
    const codes = await Promise.all(
      asked.map(async ([call, input]) => {
        const answer = await child.invoke(call, input).catch(() => undefined)
        return [call, codeIn(answer)] as const
      }),
    )
    for (const [call, code] of codes) {
      if (code?.startsWith('app/') || code?.startsWith('ipc/')) complain('error', `${call} failed: ${code}`)
    }
  }

  async function shows(states: readonly string[]): Promise<void> {
    const until = performance.now() + 8_000
    let state: string | undefined
    do {
      state = (await must('app.status', undefined))?.connection.state
      if (state !== undefined && states.includes(state)) return
      await pause(100)
    } while (performance.now() < until)
    complain('untrue', `the bar says ${state ?? 'nothing'}, not ${states.join(' or ')}`)
  }

  async function onlineAgain(until: number): Promise<void> {
    let state: string | undefined
    do {
      state = (await must('app.status', undefined))?.connection.state
      if (state === 'online') return
      await pause(200)
    } while (performance.now() < until)
    complain('untrue', `the bar says ${state ?? 'nothing'}, and the service is well`)
  }

  async function stateOf(report: Report): Promise<string> {
    const view = await clerk.find(report).catch(() => undefined)
    return view ? `${view.state}, ${view.reason?.code ?? 'no reason'}` : 'in no list'
  }

  async function settled(report: Report, until: number): Promise<boolean> {
    const open = new Set(['queued', 'sending', 'unknown'])
    for (;;) {
      const view = await clerk.find(report)
      if (view && !open.has(view.state)) return true
      if (performance.now() > until) return false
      await pause(100)
    }
  }

  /** Where a person has to say what is so, the person asks the service and says the truth. */
  async function persons(report: Report): Promise<void> {
    const view = await clerk.find(report)
    if (view?.state !== 'rejected') return
    if (isHeld(report)) {
      // Called refused though the service has it: `look` has complained, and no step of a person makes it right.
      if (!isUnsettled(view)) return
      const said = await child.invoke('outbox.confirm', { operationId: view.id, reason: 'seen at the service' })
      const code = codeIn(said)
      if (code !== undefined) complain('error', `outbox.confirm failed: ${code}`)
    } else {
      await must('outbox.retry', { operationId: view.id })
    }
    await settled(report, performance.now() + recoveryLimit)
  }

  async function judgeEnd(report: Report): Promise<void> {
    const view = await clerk.find(report)
    const { times, moments } = heldOf(service.admin, report)
    const state = view ? `${view.state} (${view.reason?.code ?? 'no reason'})` : 'in no list'
    if (times > 1) complain('doubled', `the service took it ${times} times`)
    if (times === 0) complain('lost', `the service does not have it, and the station says ${state}`)
    if (times > 0 && view?.state !== 'accepted') complain('untrue', `the service has it, and in the end it is ${state}`)
    add(oddMoments(moments, Date.now()))
  }
}

const Coded = z.object({ error: z.object({ code: z.string() }) })

/** The code of an answer that is an error; undefined of one that is well. */
function codeIn(answer: unknown): string | undefined {
  const coded = Coded.safeParse(answer)
  if (coded.success) return coded.data.error.code
  return answer === undefined ? 'app/unanswered' : undefined
}
