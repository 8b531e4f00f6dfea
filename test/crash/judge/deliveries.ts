import type { Act, DeliverySight, Line } from '../ledger'
import type { Complain } from './evidence'

type DeliveryAct = Exclude<Extract<Act, { deliveryId: unknown }>, { kind: 'receive' }>

/** A delivery, as the person knows it. */
interface Delivery {
  isFinished: boolean
  /** How often it was finished. */
  finishes: number
  marks: Map<number, string>
  corrections: string[]
  /** What the person was doing when the station died. */
  open: DeliveryAct | undefined
}

const newDelivery = (): Delivery => ({
  ...{ isFinished: false, finishes: 0, marks: new Map<number, string>() },
  ...{ corrections: [], open: undefined },
})

/** A delivery has one version of its record for each time it was finished, which stays as it was, and what was added once. */
export function judgeDeliveries(lines: readonly Line[], complain: Complain): void {
  const deliveries = new Map<string, Delivery>()
  const known = (id: string) => {
    const delivery = deliveries.get(id) ?? newDelivery()
    deliveries.set(id, delivery)
    return delivery
  }

  const look = (seen: readonly DeliverySight[]) => {
    for (const id of deliveries.keys())
      if (!seen.some((one) => one.id === id)) complain('lost', `delivery ${id} is gone`)
    for (const one of seen) {
      const delivery = known(one.id)
      judgeState(delivery, one)
      judgeMarks(delivery, one)
      judgeAdded(delivery, one)
      delivery.open = undefined
    }
  }

  /** What was being finished or reopened is as it was, or done: never a half of it. */
  const judgeState = (delivery: Delivery, { id, isFinished, versions }: DeliverySight) => {
    const before = [delivery.isFinished, delivery.finishes] as const
    const after =
      delivery.open?.kind === 'finish'
        ? ([true, delivery.finishes + 1] as const)
        : delivery.open?.kind === 'reopen'
          ? ([false, delivery.finishes] as const)
          : before
    const fits = [before, after].some(([over, count]) => over === isFinished && count === versions.length)
    if (!fits) {
      const said = `delivery ${id} was finished ${before[1]} times (${JSON.stringify(delivery.open ?? 'at rest')})`
      const now = `${isFinished ? 'is finished' : 'is under way'} with ${versions.length} records`
      complain(versions.length > Math.max(before[1], after[1]) ? 'doubled' : 'lost', `${said}, and ${now}`)
    }
    delivery.isFinished = isFinished
    delivery.finishes = versions.length
  }

  const judgeMarks = ({ marks }: Delivery, { id, versions, corrections }: DeliverySight) => {
    for (const [index, { version, mark, check }] of versions.entries()) {
      if (version !== index + 1) complain('doubled', `delivery ${id} has record ${version} as number ${index + 1}`)
      if (check !== 'intact') complain('untrue', `record ${version} of delivery ${id} is ${check}`)
      const before = marks.get(version) ?? mark
      if (before !== mark) complain('untrue', `record ${version} of delivery ${id} was ${before} and is ${mark}`)
      marks.set(version, before)
    }
    for (const { text, check } of corrections)
      if (check !== 'intact') complain('untrue', `the correction "${text ?? ''}" of delivery ${id} is ${check}`)
  }

  const judgeAdded = (delivery: Delivery, { id, corrections }: DeliverySight) => {
    const { open } = delivery
    const texts = corrections.map(({ text }) => text ?? '')
    judgeOnce(`corrections of delivery ${id}`, delivery.corrections, open?.kind === 'correct' ? open.text : null, texts)
    delivery.corrections = texts
  }

  const judgeOnce = (what: string, before: string[], maybe: string | null, now: string[]) => {
    for (const one of before) if (!now.includes(one)) complain('lost', `${what}: ${one} is gone`)
    const allowed = [...before, ...(maybe === null ? [] : [maybe])]
    const isMore = new Set(now).size !== now.length || now.some((one) => !allowed.includes(one))
    if (isMore) complain('doubled', `${what}: ${allowed.join()} were added; there are ${now.join()}`)
  }

  const done = (delivery: Delivery, act: DeliveryAct) => {
    if (act.kind === 'finish') delivery.finishes++
    if (act.kind === 'finish' || act.kind === 'reopen') delivery.isFinished = act.kind === 'finish'
    if (act.kind === 'correct') delivery.corrections = [...delivery.corrections, act.text]
  }

  for (const line of lines) {
    if (line.line === 'opened' || line.line === 'closed') look(line.sight.deliveries)
    if (line.line !== 'acts' && line.line !== 'acted') continue
    const { act } = line
    if (!('deliveryId' in act) || act.deliveryId === null) continue
    const delivery = known(act.deliveryId)
    if (act.kind === 'receive') continue
    delivery.open = line.line === 'acts' ? act : undefined
    if (line.line === 'acted' && line.isDone) done(delivery, act)
  }
}
