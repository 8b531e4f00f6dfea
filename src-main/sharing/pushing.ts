import type { Hub } from '../hub/port'
import type { DirtyKey, DirtyKeys } from './dirty-keys'

interface Pushing {
  hub: Pick<Hub, 'epoch'>
  isStopped: () => boolean
  /** So many keys are pushed at a time. */
  atOnce: number
  /** The list that the keys are of, by its seq; none by default. */
  list?: number
  /** Keys that aren't pushed now: they stay dirty. */
  heldBack?: Pick<ReadonlyMap<string, unknown>, 'size' | 'has'>
  /**
   * Pushes the things of these keys, which it reads when it is called. Returns whether the hub has them now, or the keys of those
   * that it did not take.
   */
  push: (dirty: DirtyKey[], epoch: number) => Promise<boolean | ReadonlySet<string>>
}

/**
 * Pushes all that is dirty, a part at a time, each with an epoch that was given before it is read: what is pushed later is newer,
 * whatever arrives first. What changed meanwhile stays dirty. `lost`: the hub did not take something.
 */
export async function pushDirty(
  dirty: DirtyKeys,
  { hub, isStopped, atOnce, list, heldBack = new Map(), push }: Pushing,
): Promise<'done' | 'lost' | 'no-answer'> {
  const next = () => dirty.first(atOnce + heldBack.size, list).filter(({ key }) => !heldBack.has(key))
  while (!isStopped() && next().length > 0) {
    const epoch = await hub.epoch()
    if (epoch === undefined || isStopped()) return 'no-answer'
    const part = next()
    const pushed = await push(part, epoch)
    if (pushed === false || isStopped()) return 'no-answer'
    const lost = pushed === true ? new Set<string>() : pushed
    for (const one of part) if (!lost.has(one.key)) dirty.settle(one, list)
    if (lost.size > 0) return 'lost'
  }
  return isStopped() ? 'no-answer' : 'done'
}
