import { z } from 'zod'
import { CaseId, DeliveryId, PackageUid } from '../../ids'
import {
  DeliveryCase,
  DeliveryChange,
  DeliveryHead,
  DeliveryPackage,
  DeliveryReport,
  DeliverySummary,
  DeliveryView,
  ManyDone,
} from '../delivery-view'
import { call, nothing, done } from './call'

/** The delivery under way, and those before it. */
export const deliveryCalls = {
  /** The delivery that is being received, as the station knows it, without asking the service; null if there is none. */
  'receiving.delivery': call(nothing, DeliveryView.nullable()),
  /**
   * Asks what a package holds and adds it to the delivery, also if the service can't be asked; its cases are read after
   * that. Answers what was found; `isNew`: it was not listed before.
   */
  'receiving.addPackage': call(
    z.object({ packageUid: PackageUid }),
    z.object({ delivery: DeliveryHead, package: DeliveryPackage, caseIds: z.array(CaseId), isNew: z.boolean() }),
  ),
  /** Reads a case and adds it. */
  'receiving.addCase': call(
    z.object({ identifier: z.string().trim().min(1).max(500) }),
    z.object({ delivery: DeliveryHead, case: DeliveryCase, isNew: z.boolean() }),
  ),
  /** Asks again about everything in the delivery; what is found arrives by event. */
  'receiving.refresh': call(nothing, done),
  /** Takes a package or case off the list; what was imported stays imported. */
  'receiving.dropPackage': call(z.object({ packageUid: PackageUid }), done),
  'receiving.dropCase': call(z.object({ caseId: CaseId }), done),
  'receiving.finishDelivery': call(z.object({ deliveryId: DeliveryId }), done),
  /** Takes back every import of the delivery, each as `receiving.undo` does. */
  'receiving.undoDelivery': call(z.object({ deliveryId: DeliveryId }), ManyDone),
  /** Newest first, the one under way included. */
  'receiving.deliveries': call(nothing, z.array(DeliverySummary)),
  'receiving.report': call(z.object({ deliveryId: DeliveryId }), DeliveryReport),
} as const

/** A change is announced before the command that made it is answered. */
export const deliveryEvents = {
  'receiving.changed': DeliveryChange,
} as const
