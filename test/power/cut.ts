import { dirname } from 'node:path'
import type { Chance } from '../crash/chance'
import { type Disk, type DiskFile, type Pending, renamed, sizeAfter, written } from './disk'

/**
 * How much of the unsynced data survives. `beginning`: the end is lost; `torn`: the same, and the first lost write
 * reached the disk in part; `scattered`: each piece survived or not, in any order; `grown`: the new size survived, but
 * none of the new bytes.
 */
export const manners = ['nothing', 'everything', 'beginning', 'torn', 'scattered', 'grown'] as const
export type Manner = (typeof manners)[number]

/** The unit that a disk writes completely or not at all, in bytes. */
const sector = 512
const page = 4_096

/** Files by path after a power cut; null is a folder. */
export type Image = Map<string, Buffer | null>

/** The content of a disk after a power cut at this moment. */
export function cutPower(disk: Disk, manner: Manner, chance: Chance): Image {
  const names = new Map(disk.names)
  for (const one of namesKept(disk, manner, chance)) renamed(names, one)
  const image: Image = new Map()
  for (const [path, file] of names) {
    // A file in a missing folder is missing as well.
    if (!isReachable(path, names, disk)) continue
    image.set(path, file.kind === 'folder' ? null : bytesAfterCut(file, manner, chance))
  }
  return image
}

/** The names of each folder reach the disk in order; chance decides how many. */
function namesKept(disk: Disk, manner: Manner, chance: Chance) {
  if (manner === 'nothing') return []
  if (manner === 'everything') return disk.pendingNames
  const stopped = new Set<string>()
  return disk.pendingNames.filter(({ folders }) => {
    if (!folders.some((folder) => stopped.has(folder)) && chance.hits(0.6)) return true
    for (const folder of folders) stopped.add(folder)
    return false
  })
}

/** A folder that existed before the trace began isn't in the list. */
function isReachable(path: string, names: ReadonlyMap<string, DiskFile>, disk: Disk): boolean {
  const folder = dirname(path)
  if (folder === path) return true
  const isOfTrace = disk.seen.has(folder) || disk.names.has(folder)
  return (names.has(folder) || !isOfTrace) && isReachable(folder, names, disk)
}

function bytesAfterCut({ durable, pending }: DiskFile, manner: Manner, chance: Chance): Buffer {
  if (pending.length === 0 || manner === 'nothing') return durable
  switch (manner) {
    case 'everything':
      return written(durable, pending)
    case 'beginning':
      return written(durable, pending.slice(0, chance.below(pending.length + 1)))
    case 'torn': {
      const whole = chance.below(pending.length)
      const before = written(durable, pending.slice(0, whole))
      return scattered(before, pending.slice(whole, whole + 1), chance, sector)
    }
    case 'scattered':
      return scatteredOverSizes(durable, pending, chance)
    case 'grown': {
      const upTo = beforeCutOff(pending)
      return sized(durable, sizeAfter(durable.length, pending.slice(0, upTo)), fillerOf(chance))
    }
  }
}

/**
 * For changes that truncate a file, those before the first truncation: afterwards the file uses another piece of disk.
 */
const beforeCutOff = (pending: readonly Pending[]) => {
  const first = pending.findIndex((one) => 'size' in one)
  return first === -1 ? pending.length : first
}

/**
 * A size change belongs to the file's own entry, and entries keep their order: it cuts off whatever was written before
 * it.
 */
function scatteredOverSizes(durable: Buffer, pending: readonly Pending[], chance: Chance): Buffer {
  const upTo = chance.below(pending.length + 1)
  let before = durable
  let rest = pending.slice(0, upTo)
  for (let first = beforeCutOff(rest); first < rest.length; first = beforeCutOff(rest)) {
    const kept = scattered(before, rest.slice(0, first), chance)
    before = written(kept, rest.slice(first, first + 1))
    rest = rest.slice(first + 1)
  }
  // Bytes may reach the disk before or after the size that makes them visible, so later writes count as well.
  const later = pending.slice(upTo)
  const visible = [...rest, ...later.slice(0, beforeCutOff(later))]
  const size = sizeAfter(before.length, rest)
  return sized(scattered(before, visible, chance), size, fillerOf(chance))
}

/**
 * Each piece of the file is as one of its writes left it, or as it was before all of them: it is memory that was
 * written to disk at some moment, so a piece never shows a later write without the earlier ones.
 */
function scattered(
  before: Buffer,
  pending: readonly Pending[],
  chance: Chance,
  unit = chance.pick([sector, page]),
): Buffer {
  const size = sizeAfter(before.length, pending)
  const result = sized(before, size, fillerOf(chance))
  const writes = pending.flatMap((one) => ('size' in one ? [] : [one]))
  const touched = new Map<number, (typeof writes)[number][]>()
  for (const write of writes) {
    const last = Math.floor((write.offset + write.bytes.length - 1) / unit)
    for (let piece = Math.floor(write.offset / unit); piece <= last; piece++) {
      touched.set(piece, [...(touched.get(piece) ?? []), write])
    }
  }
  for (const [piece, own] of touched) {
    const [from, to] = [piece * unit, Math.min((piece + 1) * unit, size)]
    const kept = own.slice(0, chance.below(own.length + 1))
    // A new piece is empty except for the bytes written to it.
    if (kept.length > 0 && to > before.length) result.fill(0, Math.max(from, before.length), to)
    for (const { offset, bytes } of kept) {
      const start = Math.max(from, offset)
      bytes.copy(result, start, start - offset, Math.min(to, offset + bytes.length) - offset)
    }
  }
  return result
}

/** Mostly zeros; a file system with fewer guarantees shows old disk content. */
function fillerOf(chance: Chance): (bytes: Buffer) => void {
  if (chance.hits(0.75)) return () => undefined
  return (bytes) => {
    for (let at = 0; at < bytes.length; at++) bytes[at] = chance.below(256)
  }
}

/** A copy of another size; the filler writes the new part. */
function sized(bytes: Buffer, size: number, fill: (bytes: Buffer) => void): Buffer {
  const result = Buffer.alloc(size)
  bytes.copy(result)
  if (size > bytes.length) fill(result.subarray(bytes.length))
  return result
}
