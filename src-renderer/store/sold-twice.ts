import type { SoldTwice } from '../../src-shared/ipc/contract/hub'
import type { OperationView, OutboxGroup } from '../../src-shared/ipc/contract/outbox'
import type { Text, Values } from '../text/text.svelte'
import { itemName } from './claim-text'
import { stationName } from './station-text'

const valuesOf = ({ station, orderId, ownOrderId }: SoldTwice): Values => ({
  station: stationName(station),
  orderId: orderId ?? '',
  order: orderId === null ? 'none' : 'numbered',
  ownOrderId,
})

/**
 * Why the service refused a sale whose item another station's order has too: which order, and what to do about it. Null for
 * any other report.
 */
export function soldTwiceTexts(
  { kind, state, orderId, reason, itemCount }: OperationView,
  soldTwice: readonly SoldTwice[],
): { what: Text[]; means: Text; next: Text } | null {
  if (kind !== 'complete' || state !== 'rejected' || reason?.code !== 'service/already-processed') return null
  const others = soldTwice.filter((one) => one.ownOrderId === orderId)
  if (others.length === 0) return null
  return {
    what: others.map((one) => ({
      key: 'sold-twice.refused.what',
      values: { ...valuesOf(one), name: itemName(one) },
    })),
    means: { key: 'sold-twice.refused.means' },
    next: { key: 'sold-twice.refused.next', values: { count: itemCount } },
  }
}

/**
 * Why the service refused a group of sales, of which items are in orders of other stations too. Null if none is; without
 * `means` if that is so of some of them only, or if not all are listed.
 */
export function soldTwiceGroup(
  { operations, count }: Pick<OutboxGroup, 'operations' | 'count'>,
  soldTwice: readonly SoldTwice[],
): { what: Text; means: Text | null; next: null } | null {
  const found = operations.filter((one) => soldTwiceTexts(one, soldTwice) !== null).length
  if (found === 0) return null
  if (found < count) return { what: { key: 'outbox.group.each' }, means: null, next: null }
  return { what: { key: 'sold-twice.group.what' }, means: { key: 'sold-twice.group.means' }, next: null }
}

/** The order of another station that an item of a sale here is in too, with the order here; empty if there is none. */
export const otherOrderTexts = (tagId: string, soldTwice: readonly SoldTwice[]): Text[] =>
  soldTwice
    .filter((one) => one.tagId === tagId)
    .slice(0, 1)
    .flatMap((one): Text[] => [
      { key: 'sold-twice.find', values: valuesOf(one) },
      { key: 'sold-twice.find.own', values: valuesOf(one) },
    ])
