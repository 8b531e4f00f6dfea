import { z } from 'zod'
import { OperationId, OrderId, TagId } from '../../ids'
import { Budtender, CartMode, CartView, CheckoutSettings, CustomerId, HeldOrder, ItemAdded } from '../checkout-view'
import { OperationView } from '../operation-view'
import { call, nothing, done } from './call'

/** Carts of sales and returns, and orders on hold. */
export const checkoutCalls = {
  'checkout.cart': call(z.object({ mode: CartMode }), CartView),
  'checkout.setOrder': call(z.object({ mode: CartMode, orderId: OrderId.nullable() }), CartView),
  'checkout.addItem': call(z.object({ mode: CartMode, tagId: TagId }), ItemAdded),
  'checkout.removeItem': call(z.object({ mode: CartMode, tagId: TagId }), CartView),
  /** `revision`, here and below: of the cart that the person saw. Another one is `checkout/cart-changed`. */
  'checkout.clear': call(z.object({ mode: CartMode, revision: CartView.shape.revision }), CartView),
  /** Saves the sale or return and empties its cart in one transaction, then waits up to 2 s for the service. */
  'checkout.finish': call(
    z.object({
      mode: CartMode,
      /** What the person saw when they said so: anything else in the cart is an error, never reported. */
      orderId: OrderId.nullable(),
      itemCount: z.number().int().nonnegative(),
      revision: CartView.shape.revision,
      /** A line that does not hold what it should is reported all the same: the person was asked. */
      isMeant: z.boolean().optional(),
      /** Of a return: why, kept on this computer. */
      note: z.string().trim().max(500).optional(),
    }),
    OperationView,
  ),
  'checkout.setBudtender': call(z.object({ mode: CartMode, budtenderId: Budtender.shape.id.nullable() }), CartView),
  'checkout.setCustomer': call(z.object({ mode: CartMode, customerId: CustomerId.nullable() }), CartView),
  /** How many of a line (`key`) there should be; null takes it back. */
  'checkout.setExpected': call(
    z.object({ mode: CartMode, key: z.string().max(100), expected: z.number().int().min(1).max(999).nullable() }),
    CartView,
  ),
  /** Puts the order in front aside; an empty one is not held. Gives the empty cart. */
  'checkout.hold': call(z.object({ revision: CartView.shape.revision }), CartView),
  'checkout.held': call(nothing, z.array(HeldOrder)),
  /** Brings a held order to the front; what was in front is held in its stead. */
  'checkout.resume': call(z.object({ heldId: HeldOrder.shape.id }), CartView),
  'checkout.dropHeld': call(z.object({ heldId: HeldOrder.shape.id }), z.array(HeldOrder)),
  'checkout.settings': call(nothing, CheckoutSettings),
  'checkout.setSettings': call(CheckoutSettings, done),
  /** Puts the items and order number of a refused sale or return back into their cart, which must be empty. */
  'checkout.reopen': call(z.object({ operationId: OperationId }), CartView),
} as const

export const checkoutEvents = {
  'checkout.cart': CartView,
  'checkout.held': z.array(HeldOrder),
} as const
