import type { z } from 'zod'
import { appCalls, appEvents, practiceCalls, supportCalls, updateCalls, updateEvents } from './contract/app'
import { checkoutCalls, checkoutEvents, ordersCalls, ordersEvents } from './contract/checkout'
import { collectionCalls, findCalls } from './contract/find'
import { countCalls } from './contract/count'
import { deliveryCalls, deliveryEvents } from './contract/delivery'
import { outboxCalls, outboxEvents } from './contract/outbox'
import { receivingCalls } from './contract/receiving'
import { scannerCalls, scannerEvents } from './contract/scanner'
import { securityCalls, securityEvents, stationCalls, stationEvents, tillCalls } from './contract/station'

/**
 * Everything the renderer can ask of main, and everything main tells it. Handlers, client and dispatch derive from this
 * table, which the files in contract/ make up, one an area; each input and each output is parsed on both sides. No call
 * returns a secret.
 */

const calls = {
  ...appCalls,
  ...scannerCalls,
  ...receivingCalls,
  ...deliveryCalls,
  ...countCalls,
  ...checkoutCalls,
  ...ordersCalls,
  ...outboxCalls,
  ...findCalls,
  ...collectionCalls,
  ...practiceCalls,
  ...stationCalls,
  ...securityCalls,
  ...supportCalls,
  ...tillCalls,
  ...updateCalls,
} as const

const events = {
  ...appEvents,
  ...scannerEvents,
  ...deliveryEvents,
  ...checkoutEvents,
  ...ordersEvents,
  ...outboxEvents,
  ...stationEvents,
  ...securityEvents,
  ...updateEvents,
} as const

export type CallName = keyof typeof calls
/** What a caller may pass: texts that are still to be checked. */
export type CallInput<Name extends CallName> = z.input<(typeof calls)[Name]['input']>
/** What a handler gets: parsed. */
export type CallRequest<Name extends CallName> = z.output<(typeof calls)[Name]['input']>
export type CallOutput<Name extends CallName> = z.output<(typeof calls)[Name]['output']>

export type EventName = keyof typeof events
export type EventPayload<Name extends EventName> = z.output<(typeof events)[Name]>

type CallTable = { [Name in CallName]: { input: z.ZodType<CallRequest<Name>>; output: z.ZodType<CallOutput<Name>> } }
type EventTable = { [Name in EventName]: z.ZodType<EventPayload<Name>> }

/** The same two tables, in the form in which TypeScript can follow a name to its schemas. */
export const callTable: CallTable = calls
export const eventTable: EventTable = events

export const isCallName = (name: string): name is CallName => Object.hasOwn(calls, name)
export const callNames = Object.keys(calls).filter(isCallName)
