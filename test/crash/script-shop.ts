import { createHash } from 'node:crypto'
import { PhotoId, type TagId } from '../../src-shared/ids'
import type { ShelfScope } from '../../src-shared/ipc/contract/stock'
import { type Chance, chanceOf } from './chance'
import { shopKillOf } from './kills'
import { type Lot, lotsOf } from './store'

/** A count of the shelf: `present` is scanned, with a pause after so many; `late` when the differences are counted again. */
export interface ShelfDeed {
  do: 'count the shelf'
  scope: ShelfScope
  present: TagId[]
  late: TagId[] | null
  pauseAfter: number
  end: 'sign' | 'drop'
}

/**
 * A photo of a delivery. `seed` makes its picture; two photos may show the same. It stays, is removed, is removed and brought
 * back, or is removed once the delivery is opened again.
 */
export interface PhotoDeed {
  photoId: PhotoId
  seed: number
  fate: 'stays' | 'removed' | 'restored' | 'removed later'
}

/** A delivery from its package to its record, and what is added to that. */
export interface DeliveryDeed {
  do: 'receive a delivery'
  packageUid: string
  photos: PhotoDeed[]
  isReopened: boolean
  corrections: { text: string; photo: PhotoDeed | null }[]
}

/** Scans of a count: the station shows the last 20. */
const mostScans = 14
const mostLate = 4

/** A shelf count and, often, a delivery of the day. `at`: when, as a share of the day. */
export function shopDeeds(seed: number, run: number): { at: number; deed: ShelfDeed | DeliveryDeed }[] {
  const chance = chanceOf('shop', seed, run)
  const killed = shopKillOf(seed, run)?.at ?? ''
  const count = countOf(chance, killed)
  // Killed at its first end or its second one.
  const isKilled = /^(record|photo|correction)/.test(killed)
  const delivery = deliveryOf(chance, run, isKilled)
  const isReceived = chance.hits(0.5) || isKilled
  return [{ at: chance.next(), deed: count }, ...(isReceived ? [{ at: chance.next(), deed: delivery }] : [])]
}

function countOf(chance: Chance, killed: string): ShelfDeed {
  const lot = chance.pick(lotsOf('shelf'))
  const scopes: Record<ShelfScope['kind'], ShelfScope> = {
    all: { kind: 'all' },
    product: { kind: 'product', productId: lot.productId },
    brand: { kind: 'brand', brandName: 'Crash' },
    case: { kind: 'case', caseId: lot.caseId },
    sample: { kind: 'sample', products: 2 },
  }
  const picked = chance.weighed({ all: 4, product: 2, brand: 0.5, case: 1, sample: 0.5 })
  // The step must be reached: in a count of one product few scans are of it.
  const scope = scopes[killed.startsWith('scan') ? 'all' : picked]
  const isThere = (one: Lot) => (scope.kind === 'all' || one.caseId === lot.caseId ? 0.7 : 0.1)
  const shelf = lotsOf('shelf').flatMap((one) => one.tagIds.filter(() => chance.hits(isThere(one))))
  // Imported by then, or not.
  const others = [...lotsOf('delivery'), ...lotsOf('closed')].flatMap((one) =>
    one.tagIds.filter(() => chance.hits(0.1)),
  )
  const all = shuffled(chance, [...shelf, ...others])
  const absent = shuffled(
    chance,
    lot.tagIds.filter((tagId) => !all.includes(tagId)),
  )
  const present = all.slice(0, mostScans)
  return {
    do: 'count the shelf',
    scope,
    present,
    late: chance.hits(0.5) ? absent.slice(0, mostLate) : null,
    pauseAfter: chance.below(Math.max(1, present.length)),
    end: killed.startsWith('sign') || chance.hits(0.8) ? 'sign' : 'drop',
  }
}

const fates = ['stays', 'removed', 'restored', 'removed later'] as const

/** `isWhole`: with everything that a delivery can have. */
function deliveryOf(chance: Chance, run: number, isWhole: boolean): DeliveryDeed {
  const named = (name: string) => {
    const hex = createHash('sha256').update(`crash ${name} ${run}`).digest('hex')
    return PhotoId.parse(
      `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
    )
  }
  // Sometimes the picture of an earlier photo. In a whole delivery those that are removed have their own, or no file would go.
  const photo = (n: number, fate: PhotoDeed['fate'], isOwn: boolean): PhotoDeed => ({
    photoId: named(`photo ${n}`),
    seed: !isOwn && chance.hits(0.2) ? chance.below(n + 1) : n,
    fate,
  })
  const photos = isWhole
    ? shuffled(chance, fates).map((fate, n) => photo(n, fate, true))
    : Array.from({ length: chance.below(4) }, (_, n) => photo(n, chance.pick(fates), false))
  const correction = (n: number, hasPhoto: boolean) => ({
    text: `Correction ${n + 1} of day ${run}`,
    photo: hasPhoto ? photo(fates.length + n, 'stays', isWhole) : null,
  })
  return {
    do: 'receive a delivery',
    packageUid: chance.pick(lotsOf('delivery')).packageUid,
    photos,
    isReopened: chance.hits(0.4) || isWhole,
    corrections: isWhole
      ? shuffled(chance, [true, false]).map((hasPhoto, n) => correction(n, hasPhoto))
      : Array.from({ length: chance.below(3) }, (_, n) => correction(n, chance.hits(0.5))),
  }
}

function shuffled<T>(chance: Chance, all: readonly T[]): T[] {
  const from = [...all]
  return all.flatMap(() => from.splice(chance.below(from.length), 1))
}
