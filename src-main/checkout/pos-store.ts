import { type PosStore, mostPosStations } from '../../src-shared/ipc/contract/pos-day'
import { iso } from '../clock'
import type { OtherReports } from './pos-others'
import type { OthersOfDay } from './store-day'

/** What a comparison knows of the other stations of the store, but for their reports. */
export type StoreStanding = Omit<PosStore, 'byName'>

/** Before the other stations were asked. */
export const notAsked: StoreStanding = { asOf: null, trouble: null, stations: [], unread: 0, isIncomplete: false }

/**
 * What the stations have just said. Reports may be missing of a station that didn't answer, and of one whose reports the store hub
 * doesn't have, also if it was closed since. `now`: ms since 1970.
 */
export function standingOf({ stations, unread }: OthersOfDay, ownId: string | null, now: number): StoreStanding {
  const named = stations.map(({ id, name, standing, seenAt, open: { untold } }) => {
    const isThis = id === ownId
    const isMissing = !isThis && standing !== 'left' && (standing === 'silent' || untold > 0)
    return { name, isThis, standing, seenAt: seenAt === null ? null : iso(Math.round(seenAt)), untold, isMissing }
  })
  return {
    ...{ asOf: iso(now), trouble: null, unread },
    stations: named.slice(0, mostPosStations),
    isIncomplete: unread > 0 || named.some(({ isMissing }) => isMissing),
  }
}

/** The other stations could not be asked again. What the hub has forgotten doesn't come any more. */
export const outOfReach = (before: StoreStanding, trouble: NonNullable<PosStore['trouble']>): StoreStanding => ({
  ...before,
  trouble,
  isIncomplete: trouble === 'unreachable',
})

export const storeView = (standing: StoreStanding, { byName }: OtherReports): PosStore => ({
  ...standing,
  byName: byName.slice(0, mostPosStations),
})
