import type { DayReport, DayVerification, StationOfDay } from '../../../src-shared/ipc/contract/checkout'
import type { PosDayView } from '../../../src-shared/ipc/contract/pos-day'
import { moment } from '../../text/moments'
import type { MessageKey } from '../../text/en'
import type { Text } from '../../text/text.svelte'
import type { StepState } from '../../ui/tones'
import { leftCount, resultOf } from '../pos/pos-text'
import { type OpenWork, hasReports, isAllThere, isVerified } from './day-report'
import { titleOf } from './verification-text'

/** What is known of the day in front. */
export interface DayFacts {
  report: DayReport
  /** Null while it isn't known. */
  open: OpenWork | null
  /** Items in Checkout, not reported. */
  inCheckout: number
  verification: DayVerification | null
  pos: PosDayView | null
}

export const stepKeys = ['open', 'verify', 'pos', 'sign'] as const
export type StepKey = (typeof stepKeys)[number]

export const stepTitles = {
  open: 'day.step.open',
  verify: 'day.verify',
  pos: 'pos-day.title',
  sign: 'day.sign',
} as const satisfies Record<StepKey, MessageKey>

/** What a person can do about a step. */
export type StepAction =
  | 'review'
  | 'send'
  | 'checkout'
  | 'store'
  | 'verify'
  | 'pause'
  | 'resume'
  | 'again'
  | 'load'
  | 'compare'
  | 'show'
  | 'sign'

export interface DayStep {
  key: StepKey
  state: StepState
  /** What is missing, or what was found. */
  texts: Text[]
  action: StepAction | null
}

/** The four steps that close a day, each with its state. */
export const stepsOf = (facts: DayFacts): DayStep[] => {
  const before = [openStep(facts), verifyStep(facts), posStep(facts)]
  return [...before, signStep(facts, before)]
}

function openStep({ report, open, inCheckout }: DayFacts): DayStep {
  const key = 'open'
  if (open === null) return { key, state: 'todo', texts: [{ key: 'day.not-known' }], action: null }
  const { refused, unsent, held, isStoreOpen } = open
  const parts: [boolean, Text, StepAction][] = [
    [refused > 0, { key: 'day.refused', values: { count: refused } }, 'review'],
    [isStoreOpen, { key: 'day.stations.open' }, 'store'],
    [unsent > 0, { key: 'day.unsent', values: { count: unsent } }, 'send'],
    [held > 0, { key: 'day.held.count', values: { count: held } }, 'checkout'],
    [inCheckout > 0, { key: 'day.in-checkout', values: { count: inCheckout } }, 'checkout'],
  ]
  const left = parts.filter(([isOpen]) => isOpen)
  const [first] = left
  const dismissed: Text[] = report.dismissed > 0 ? [{ key: 'day.dismissed', values: { count: report.dismissed } }] : []
  if (!first) {
    const texts: Text[] = [{ key: 'day.all-there', values: { count: report.confirmed } }, ...dismissed]
    return { key, state: 'done', texts, action: null }
  }
  const state = refused > 0 || isStoreOpen ? 'attention' : 'todo'
  const sent: Text[] = isAllThere(open) ? [{ key: 'day.all-there', values: { count: report.confirmed } }] : []
  return { key, state, texts: [...sent, ...left.map(([, text]) => text), ...dismissed], action: first[2] }
}

function verifyStep({ report, verification: view }: DayFacts): DayStep {
  const key = 'verify'
  if (report.store) return verifyStoreStep(report.store.stations)
  if (!view) return { key, state: 'none', texts: [{ key: 'day.verify.no-service' }], action: null }
  const texts = [titleOf(view)]
  if (view.state === 'none') {
    return view.total === 0
      ? { key, state: 'none', texts, action: null }
      : { key, state: 'todo', texts, action: 'verify' }
  }
  if (view.state === 'running') return { key, state: 'todo', texts, action: 'pause' }
  if (view.state === 'paused') {
    return { key, state: 'todo', texts, action: view.waitsFor === 'person' ? 'resume' : 'pause' }
  }
  // The differences, until newer reports make them old.
  if (view.differenceCount > 0 && !view.isOutOfDate) return { key, state: 'attention', texts, action: 'show' }
  const isFine = view.differenceCount + view.notSettled === 0 && !view.isOutOfDate
  return { key, state: isFine ? 'done' : 'attention', texts, action: 'again' }
}

/** Each station verifies its own reports. */
function verifyStoreStep(stations: StationOfDay[]): DayStep {
  const key = 'verify'
  const namesOf = (some: StationOfDay[]) => ({ stations: some.map(({ name }) => name) })
  const differing = stations.filter((station) => isVerified(station) && (station.verified?.differenceCount ?? 0) > 0)
  if (differing.length > 0) {
    const texts = [{ key: 'day.verify.stations', values: namesOf(differing) } as const]
    return { key, state: 'attention', texts, action: 'store' }
  }
  const selling = stations.filter(hasReports)
  const missing = selling.filter((station) => !isVerified(station))
  if (missing.length > 0) {
    const texts = [{ key: 'day.verify.missing', values: namesOf(missing) } as const]
    return { key, state: 'todo', texts, action: 'store' }
  }
  return selling.length > 0
    ? { key, state: 'done', texts: [{ key: 'day.verify.all' }], action: null }
    : { key, state: 'none', texts: [{ key: 'day.verify.each' }], action: null }
}

function posStep({ report, pos }: DayFacts): DayStep {
  const key = 'pos'
  if (!pos?.file) {
    const { completed, returned, voided } = report
    const isEmpty = completed.orders + returned.orders + voided.orders === 0
    const texts: Text[] = [{ key: isEmpty ? 'pos-day.nothing' : 'pos-day.not-yet' }]
    return { key, state: isEmpty ? 'optional' : 'todo', texts, action: pos ? 'load' : null }
  }
  const texts = [resultOf(pos)]
  if (pos.state === 'comparing') return { key, state: 'todo', texts, action: null }
  if (pos.state === 'failed') return { key, state: 'attention', texts, action: 'compare' }
  if (pos.file.faulty > 0) texts.push({ key: 'pos-day.file.faulty', values: { count: pos.file.faulty } })
  if (pos.unknownCount > 0) texts.push({ key: 'pos-day.paper.unknown', values: { count: pos.unknownCount } })
  return pos.isSettled
    ? { key, state: 'done', texts, action: null }
    : { key, state: 'attention', texts, action: leftCount(pos) > 0 ? 'show' : 'load' }
}

function signStep({ report, open }: DayFacts, before: DayStep[]): DayStep {
  const key = 'sign'
  const { signed, store } = report
  const closed = store?.closed
  const action = store && !isAllThere(open) ? null : 'sign'
  if (closed ? closed.isChanged : signed?.isChanged) {
    return { key, state: 'attention', texts: [{ key: closed ? 'day.closed.changed' : 'day.signed.changed' }], action }
  }
  const by: Text[] = signed ? [{ key: 'day.signed', values: { name: signed.name, at: moment(signed.at) } }] : []
  if (closed) {
    const values = { at: moment(closed.at), station: closed.station }
    return { key, state: 'done', texts: [{ key: 'day.closed', values }, ...by], action: null }
  }
  if (signed && !store) return { key, state: 'done', texts: by, action: null }
  const text = leftText(before) ?? { key: store ? 'day.close.title' : 'day.sign.ready' }
  return { key, state: 'todo', texts: [text], action }
}

/** Which steps before the signature are not done; null if all are. */
export function leftText(steps: readonly DayStep[]): Text | null {
  const left = steps.filter(({ key, state }) => key !== 'sign' && (state === 'todo' || state === 'attention'))
  if (left.length === 0) return null
  return { key: 'day.sign.left', values: { steps: left.map(({ key }) => ({ key: stepTitles[key] })) } }
}
