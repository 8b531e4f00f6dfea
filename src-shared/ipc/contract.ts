import type { z } from 'zod'
import { appCalls, appEvents, practiceCalls, supportCalls, updateCalls, updateEvents } from './contract/app'
import { checkoutCalls, checkoutEvents, ordersCalls, ordersEvents } from './contract/checkout'
import { collectionCalls, findCalls } from './contract/find'
import { countCalls, countEvents } from './contract/count'
import { deliveryCalls, deliveryEvents } from './contract/delivery'
import { hubCalls, hubEvents } from './contract/hub'
import { joinCalls } from './contract/join'
import { journalCalls } from './contract/journal'
import { hostingCalls, hostingEvents } from './contract/hosting'
import { outageCalls } from './contract/outages'
import { manifestCalls, manifestEvents } from './contract/manifest'
import { outboxCalls, outboxEvents } from './contract/outbox'
import { peopleCalls, peopleEvents } from './contract/people'
import { posDayCalls, posDayEvents } from './contract/pos-day'
import { receivingCalls } from './contract/receiving'
import { recordCalls, recordEvents } from './contract/record'
import { scannerCalls, scannerEvents } from './contract/scanner'
import { securityCalls, securityEvents, stationCalls, stationEvents, tillCalls } from './contract/station'
import { stockCalls, stockEvents } from './contract/stock'

/**
 * Every call from the renderer to main, and every event from main. Handlers, client and dispatch derive from this
 * table, which is composed of the files in contract/, one per area. Inputs and outputs are parsed on both sides. No
 * call returns a secret, except within the picture of a join code (`join.code`).
 */

const calls = {
  ...appCalls,
  ...scannerCalls,
  ...receivingCalls,
  ...deliveryCalls,
  ...recordCalls,
  ...countCalls,
  ...manifestCalls,
  ...stockCalls,
  ...checkoutCalls,
  ...ordersCalls,
  ...posDayCalls,
  ...outboxCalls,
  ...outageCalls,
  ...journalCalls,
  ...findCalls,
  ...collectionCalls,
  ...hubCalls,
  ...joinCalls,
  ...hostingCalls,
  ...practiceCalls,
  ...stationCalls,
  ...securityCalls,
  ...peopleCalls,
  ...supportCalls,
  ...tillCalls,
  ...updateCalls,
} as const

const events = {
  ...appEvents,
  ...scannerEvents,
  ...deliveryEvents,
  ...recordEvents,
  ...countEvents,
  ...manifestEvents,
  ...stockEvents,
  ...checkoutEvents,
  ...ordersEvents,
  ...posDayEvents,
  ...outboxEvents,
  ...hubEvents,
  ...hostingEvents,
  ...stationEvents,
  ...securityEvents,
  ...peopleEvents,
  ...updateEvents,
} as const

export type CallName = keyof typeof calls
/** The input that a caller passes, before it is checked. */
export type CallInput<Name extends CallName> = z.input<(typeof calls)[Name]['input']>
/** The parsed input that a handler gets. */
export type CallRequest<Name extends CallName> = z.output<(typeof calls)[Name]['input']>
export type CallOutput<Name extends CallName> = z.output<(typeof calls)[Name]['output']>

export type EventName = keyof typeof events
export type EventPayload<Name extends EventName> = z.output<(typeof events)[Name]>

type CallTable = { [Name in CallName]: { input: z.ZodType<CallRequest<Name>>; output: z.ZodType<CallOutput<Name>> } }
type EventTable = { [Name in EventName]: z.ZodType<EventPayload<Name>> }

/** The two tables of the contract, typed so that TypeScript can look up the schemas of a name. */
export const callTable: CallTable = calls
export const eventTable: EventTable = events

export const isCallName = (name: string): name is CallName => Object.hasOwn(calls, name)
export const isEventName = (name: string): name is EventName => Object.hasOwn(events, name)
export const callNames = Object.keys(calls).filter(isCallName)
