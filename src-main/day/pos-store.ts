import { type PosStore, mostPosStations } from '../../src-shared/ipc/contract/pos-day'
import { iso } from '../core/clock'
import type { OtherReports } from './pos-others'
import type { OthersOfDay } from './store-day'

/** What a comparison knows of the other stations of the store, but for their reports. */
export type StoreStatus = Omit<PosStore, 'byName'>

/** Before the other stations were asked. */
export const notAsked: StoreStatus = { asOf: null, trouble: null, stations: [], unread: 0, isIncomplete: false }

/**
 * What the stations have just said. Reports may be missing of a station that didn't answer, and of one whose reports the store hub
 * doesn't have, also if it was closed since. `now`: ms since 1970.
 */
export function statusOf({ stations, unread }: OthersOfDay, ownId: string | null, now: number): StoreStatus {
  const named = stations.map(({ id, name, status, seenAt, open: { untold } }) => {
    const isThis = id === ownId
    const isMissing = !isThis && status !== 'left' && (status === 'silent' || untold > 0)
    return { name, isThis, status, seenAt: seenAt === null ? null : iso(Math.round(seenAt)), untold, isMissing }
  })
  return {
    ...{ asOf: iso(now), trouble: null, unread },
    stations: named.slice(0, mostPosStations),
    isIncomplete: unread > 0 || named.some(({ isMissing }) => isMissing),
  }
}

/** The other stations could not be asked again. What the hub has forgotten doesn't come any more. */
export const outOfReach = (before: StoreStatus, trouble: NonNullable<PosStore['trouble']>): StoreStatus => ({
  ...before,
  trouble,
  isIncomplete: trouble === 'unreachable',
})

export const storeView = (status: StoreStatus, others: OtherReports): PosStore => ({
  ...status,
  byName: others.byName().slice(0, mostPosStations),
})
