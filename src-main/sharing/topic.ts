import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { MainEventName } from '../core/events'
import type { LogTopic, Watch } from './watch'

/** What another station has of a thing; `body` is null if it is gone. `at`: when the hub got it, in ms since 1970. */
export interface Change<Body> {
  key: string
  body: Body | null
  at: number
}

/** A kind of thing that all stations of the store have alike. What it needs to be shared is here; the log does the rest. */
export interface Topic<Body> {
  name: LogTopic
  /** Its own file, from `src-main`: events name it. */
  file: string
  /** What is read of other stations: with bounds. */
  body: z.ZodType<Body>
  /** What makes a key dirty. */
  watches: readonly Watch[]
  /** Events after which it may be dirty. */
  dirtyAfter: readonly MainEventName[]
  /** Whether a thing can be gone. If not, one that can't be read here is left as the others have it. */
  canBeGone: boolean
  /** The thing as it is here; undefined if there is none, or it can't be read. */
  read: (key: string) => Body | undefined
  /** The keys of all that is here, for a hub that lacks it. */
  keys: () => Iterable<string>
  /**
   * Which of two versions counts, null for one that is gone. Pure, and decides alike at every station, whichever of them asks;
   * `theirs` is the hub's, and stands if neither is better.
   */
  better: (mine: Body | null, theirs: Body | null) => 'mine' | 'theirs'
  /**
   * Uses what other stations have. Called again with the same after a crash. `edited`: keys that were edited here and not pushed:
   * another station was first.
   */
  apply: (changes: Change<Body>[], edited: ReadonlySet<string>) => void
  /** Called before the hub is asked: for what is kept elsewhere, and copied. */
  prepare?: () => void
}

/** A record of the hub beside the thing here. `isKnown`: this station pushed it, or has read it before. */
export interface Beside<Body> {
  mine: Body | null
  theirs: Body | null
  isKnown: boolean
  isDirty: boolean
}

/** `same`: nothing is to be pushed. `newer-here`: this station has changed it since. */
export type RecordStep = 'same' | 'take' | 'push' | 'newer-here'

/** What is done with a record that the hub has. */
export function stepOf<Body>(
  { mine, theirs, isKnown, isDirty }: Beside<Body>,
  better: Topic<Body>['better'],
): RecordStep {
  if (isDeepStrictEqual(plain(mine), plain(theirs))) return 'same'
  if (isKnown && isDirty) return 'newer-here'
  return better(mine, theirs) === 'mine' ? 'push' : 'take'
}

/** As it is sent: without fields that are undefined. */
const plain = (body: unknown): unknown => JSON.parse(JSON.stringify(body))
