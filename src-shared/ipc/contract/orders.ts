import { z } from 'zod'
import { OperationId, OrderId, TagId } from '../../ids'
import { DayReport, OrderView, OrdersFilter, OrdersPage } from '../checkout-view'
import { OperationView } from '../operation-view'
import { ExportFile } from '../receiving-history-view'
import { DayVerification } from '../verification-view'
import { call, done, nothing } from './call'

/** Orders that were reported, one by one and by the day. */
export const ordersCalls = {
  'checkout.order': call(z.object({ orderId: OrderId }), OrderView),
  /** Voids an order, also one this station has never seen. Waits up to 2 s. A complete not yet attempted is withdrawn. */
  'checkout.void': call(z.object({ orderId: OrderId, note: z.string().trim().max(500).optional() }), OperationView),
  /** Sends a refused sale or return again without these items. */
  'checkout.amend': call(
    z.object({ operationId: OperationId, without: z.array(TagId).min(1).max(500) }),
    OperationView,
  ),
  /** The order in which this station last sold an item. */
  'checkout.orderOfItem': call(z.object({ tagId: TagId }), OrderView),
  /** Newest first, at most 100, those before `before` (the `seq` of the last one seen). */
  'checkout.orders': call(
    z.object({ filter: OrdersFilter, before: z.number().int().positive().nullable() }),
    OrdersPage,
  ),
  'checkout.day': call(z.object({ day: z.iso.date() }), DayReport),
  'checkout.exportDay': call(z.object({ day: z.iso.date() }), ExportFile),
  /** Reads the items of a day back from the service: starts, goes on where it was paused, or begins a finished day anew. */
  'checkout.verifyDay': call(z.object({ day: z.iso.date() }), DayVerification),
  /** Pauses it. */
  'checkout.stopVerifying': call(nothing, done),
} as const

export const ordersEvents = {
  'checkout.verification': DayVerification,
} as const
