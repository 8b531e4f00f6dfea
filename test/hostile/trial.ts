import { setTimeout as pause } from 'node:timers/promises'
import { type Started, createClerk } from './clerk'
import { type Complaint, type Report, heldOf, isUnsettled, oddMoments, secretsIn, untruthsOf } from './judge'
import type { Misbehaviour } from './misbehaviour'
import { createScreens, today } from './screens'
import { type Lot, account } from './shop'
import type { Stand } from './stand'
import { createWatch } from './watch'

/** The result of one row. */
export interface Verdict {
  row: Misbehaviour
  complaints: Complaint[]
  /** From the recovery of the service until the other operation was settled, in s; null: never. */
  recovery: number | null
  /** In MB; undefined where the system doesn't report it. */
  memory: number | undefined
}

/** Limits from the recovery of the service, in ms: for another operation, and for the operation of the row. */
const recoveryLimit = 15_000
const settleLimit = 40_000
/** Limit for the station to meet the misbehavior and for the bar to show it, in ms. */
const meetLimit = 15_000
const barLimit = 8_000
/** In MB. */
const memoryLimit = 300

const open = new Set(['queued', 'sending', 'unknown'])

/** Tries one row at a station that passed the rows before. Never rejects. */
export async function tryRow(row: Misbehaviour, stand: Stand, lot: Lot, number: number): Promise<Verdict> {
  const { service, child } = stand
  const orderId = `H-${number}`
  const customerId = `CUSTOMER-${number}-5d81c3`
  const watch = createWatch({ stand, orderId, customerId })
  const { complain, must } = watch
  const clerk = createClerk(child.client)
  const { look, lookUp, barSays, tries } = createScreens({ stand, watch, lot })
  const strayedBefore = service.strayed()
  let recovery: number | null = null
  try {
    await clerk.prepare(row.kind, orderId, lot)
    child.memory()
    await service.misbehave(row, { clientSecret: account.clientSecret, customerId })
    await liveThrough()
  } catch (cause) {
    complain('error', cause instanceof Error ? cause.message : String(cause))
  }
  service.heal()
  if (service.strayed() > strayedBefore) complain('secret', 'the station followed an address to another host')
  const memory = child.memory()
  if (memory !== undefined && memory > memoryLimit) complain('memory', `${memory.toFixed(0)} MB`)
  watch.add(secretsIn(stand.dataDir, watch.secrets()))
  const isAlive = child.isAlive()
  if (!isAlive) complain('dead', `the process ended: ${child.said().slice(-300)}`)
  const complaints = watch.end()
  // A process that has ended answers nothing: every other complaint follows from that.
  const ofTheDead = complaints.filter(({ kind }) => kind === 'dead' || kind === 'memory' || kind === 'secret')
  return { row, complaints: isAlive ? complaints : ofTheDead, recovery, memory }

  /** The misbehavior from its first request to the person's last step, and what the service holds then. */
  async function liveThrough(): Promise<void> {
    const main = await orOnceWell(() => clerk.start(row.kind, orderId, lot, customerId))
    const crowd: Started[] = []
    for (const [n, tagId] of lot.crowd.slice(0, row.crowd ?? 0).entries()) {
      crowd.push(await clerk.sell(`${orderId}-crowd-${n}`, tagId))
    }
    const other = await orOnceWell(() => clerk.sell(`${orderId}-other`, lot.otherTagId))
    await meet()
    const all = [main, other, ...crowd]
    for (const { report } of all) await look(report)
    if (row.looksUp) await lookUp()
    await pause(row.goesOnFor ?? 0)
    if (row.shows) await barSays(row.shows, `not ${row.shows.join(' or ')}`, performance.now() + barLimit)
    judgePace()
    for (const started of all) await hear(started)
    for (const { report } of all) await look(report)

    service.heal()
    const healedAt = performance.now()
    if (row.sendsNow) await must('outbox.sendNow', undefined)
    const limit = row.recoversIn ?? recoveryLimit
    if (await settled(other.report, healedAt + limit)) recovery = (performance.now() - healedAt) / 1_000
    else complain('slow', `another operation was not settled within ${limit / 1_000} s: ${await stateOf(other.report)}`)
    for (const { report } of all) {
      if (await settled(report, healedAt + settleLimit)) {
        await look(report)
        await stepOfPerson(report)
        await judgeEnd(report)
      } else {
        const text = `not settled ${settleLimit / 1_000} s after the service was well: ${await stateOf(report)}`
        watch.addOf(report, [{ kind: 'lost', text }])
      }
    }
    await must('checkout.day', { day: today() })
    await barSays(['online'], 'and the service is well', healedAt + limit)
  }

  /**
   * An item that can't be scanned meanwhile, because a reading says that it doesn't exist, is sold once the service
   * recovers.
   */
  async function orOnceWell(start: () => Promise<Started>): Promise<Started> {
    try {
      return await start()
    } catch (cause) {
      if (!/checkout.addItem: .*"(service|scan|checkout)\//.test(String(cause))) throw cause
      service.heal()
      return start()
    }
  }

  function judgePace(): void {
    for (const place of ['token', 'reads', 'reports'] as const) {
      const most = row.atMost?.[place]
      const came = service.asked(place)
      if (most !== undefined && came > most) complain('pace', `${came} requests went to ${place}, not ${most} at most`)
    }
  }

  async function meet(): Promise<void> {
    const until = performance.now() + meetLimit
    while (service.met() === 0 && performance.now() < until) await pause(20)
    if (service.met() === 0) complain('error', 'the station never met it')
  }

  /** The answer of the call that reported it, while the outcome was unknown. */
  async function hear({ report, answer }: Started): Promise<void> {
    const said = await answer
    if (said.ok) {
      const after = heldOf(service.admin, report).times > 0
      watch.addOf(report, untruthsOf(said.value, { before: false, after }, 'the call that reported it'))
      return
    }
    const saved = await clerk.find(report).catch(() => undefined)
    const where = saved ? 'though it is saved' : 'and it is in no list'
    watch.addOf(report, [{ kind: 'untrue', text: `the call that reported it said ${said.error.code}, ${where}` }])
  }

  async function stateOf(report: Report): Promise<string> {
    const view = await clerk.find(report).catch(() => undefined)
    return view ? `${view.state} (${view.reason?.code ?? 'no reason'})` : 'in no list'
  }

  async function settled(report: Report, until: number): Promise<boolean> {
    for (;;) {
      const view = await clerk.find(report)
      // An operation that a person has to settle is still tried again: the person can settle it between two attempts.
      if (view && (!open.has(view.state) || (isUnsettled(view) && view.state !== 'sending'))) return true
      if (performance.now() > until) return false
      await pause(100)
    }
  }

  /** Where a person has to decide, the person checks the service's list and answers truthfully. */
  async function stepOfPerson(report: Report): Promise<void> {
    const view = await clerk.find(report)
    if (!view || (view.state !== 'rejected' && !isUnsettled(view))) return
    if (heldOf(service.admin, report).times === 0) await must('outbox.retry', { operationId: view.id })
    // Shown as refused although the service has it: `look` has complained, and no step of a person corrects it.
    else if (!isUnsettled(view)) return
    else {
      const code = await tries('outbox.confirm', { operationId: view.id, reason: 'Seen at the service' })
      // The operation may have been tried again in between, and that answer comes first.
      if (code === 'outbox/wrong-state') {
        await settled(report, performance.now() + recoveryLimit)
        return stepOfPerson(report)
      }
      if (code !== undefined) complain('error', `outbox.confirm failed: ${code}`)
    }
    await settled(report, performance.now() + recoveryLimit)
  }

  async function judgeEnd(report: Report): Promise<void> {
    const { times, moments } = heldOf(service.admin, report)
    const state = await stateOf(report)
    const end: Complaint[] = []
    if (times > 1) end.push({ kind: 'doubled', text: `the service took it ${times} times` })
    if (times === 0) end.push({ kind: 'lost', text: `the service does not have it, and in the end it is ${state}` })
    if (times > 0 && !state.startsWith('accepted')) {
      end.push({ kind: 'untrue', text: `the service has it, and in the end it is ${state}` })
    }
    watch.addOf(report, [...end, ...oddMoments(moments, Date.now())])
  }
}
