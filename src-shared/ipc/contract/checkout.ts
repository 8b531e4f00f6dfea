import { z } from 'zod'
import { OperationId, OrderId, TagId } from '../../ids'
import {
  Budtender,
  CartChange,
  CartMode,
  CartView,
  CheckoutSettings,
  CustomerId,
  FlagChange,
  HeldOrder,
  ItemAdded,
} from '../checkout-view'
import { OperationView } from '../operation-view'
import { call, nothing, done } from './call'

/**
 * Carts of sales and returns, and orders on hold. A command answers with its own outcome; the cart and the orders on hold
 * come by event, once for each change.
 */
export const checkoutCalls = {
  /** For a page that begins. */
  'checkout.cart': call(z.object({ mode: CartMode }), CartView),
  'checkout.setOrder': call(z.object({ mode: CartMode, orderId: OrderId.nullable() }), CartChange),
  'checkout.addItem': call(z.object({ mode: CartMode, tagId: TagId }), ItemAdded),
  'checkout.removeItem': call(z.object({ mode: CartMode, tagId: TagId }), CartChange),
  /** `revision`, here and below, is of the cart as the person saw it. Errors: checkout/cart-changed (if it has changed). */
  'checkout.clear': call(z.object({ mode: CartMode, revision: CartView.shape.revision }), CartChange),
  /** Saves the sale or return and empties its cart in one transaction, then waits up to 2 s for the service. */
  'checkout.finish': call(
    z.object({
      mode: CartMode,
      /** The cart as the person saw it: if it holds anything else, nothing is reported. */
      orderId: OrderId.nullable(),
      itemCount: z.number().int().nonnegative(),
      revision: CartView.shape.revision,
      /** The person confirmed lines whose count differs from the expected one. */
      isMeant: z.boolean().optional(),
      /** Reason for a return. Stored locally, never sent. */
      note: z.string().trim().max(500).optional(),
    }),
    OperationView,
  ),
  'checkout.setBudtender': call(z.object({ mode: CartMode, budtenderId: Budtender.shape.id.nullable() }), CartChange),
  'checkout.setCustomer': call(z.object({ mode: CartMode, customerId: CustomerId.nullable() }), CartChange),
  /** The expected count of a line (`key`); null removes it. */
  'checkout.setExpected': call(
    z.object({ mode: CartMode, key: z.string().max(100), expected: z.number().int().min(1).max(999).nullable() }),
    CartChange,
  ),
  /** Puts the current sale on hold. Errors: checkout/nothing-to-hold. */
  'checkout.hold': call(z.object({ revision: CartView.shape.revision }), CartChange),
  'checkout.held': call(nothing, z.array(HeldOrder)),
  /** Makes a held order the current sale, and holds what was current before. */
  'checkout.resume': call(z.object({ heldId: HeldOrder.shape.id }), CartChange),
  'checkout.dropHeld': call(z.object({ heldId: HeldOrder.shape.id }), done),
  'checkout.settings': call(nothing, CheckoutSettings),
  'checkout.setSettings': call(CheckoutSettings, done),
  /** Puts the items and order number of a refused sale or return back into their cart, which must be empty. */
  'checkout.reopen': call(z.object({ operationId: OperationId }), CartChange),
} as const

export const checkoutEvents = {
  'checkout.cart': CartView,
  'checkout.flags': z.array(FlagChange),
  'checkout.held': z.array(HeldOrder),
} as const
