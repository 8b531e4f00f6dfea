import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { MainEventName } from '../core/events'
import type { LogTopic, Watch } from './watch'

/** What another station has of a thing. `at`: when the hub got it, in ms since 1970. */
export interface Change<Body> {
  key: string
  body: Body
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
  /** The thing as it is here; undefined if there is none, or it can't be read. */
  read: (key: string) => Body | undefined
  /** The keys of all that is here, for a hub that lacks it. */
  keys: () => Iterable<string>
  /** Which of two versions counts. Pure, and decides alike at every station. `even`: neither, so the one at the hub stays. */
  better: (mine: Body, theirs: Body) => 'mine' | 'theirs' | 'even'
  /**
   * Uses what other stations have. Called again with the same after a crash. `edited`: keys that were edited here and not pushed:
   * another station was first. Returns the keys that could be used, or undefined if it was not saved: then it is tried again.
   */
  apply: (changes: Change<Body>[], edited: ReadonlySet<string>) => ReadonlySet<string> | undefined
  /** Called before the hub is asked: for what is kept elsewhere, and copied. */
  prepare?: () => void
  /** The station joins a store: nothing that it agreed on with another one counts. In a transaction. */
  joined?: () => void
}

/** A record of the hub beside the thing here. `isOwn`: this station pushed it. */
export interface Beside<Body> {
  mine: Body | undefined
  theirs: Body
  isOwn: boolean
  isDirty: boolean
}

/** `same`: nothing is to be pushed. `push`: this station's counts. */
export type RecordStep = 'same' | 'take' | 'push'

/** What is done with a record that the hub has. */
export function stepOf<Body>(
  { mine, theirs, isOwn, isDirty }: Beside<Body>,
  better: Topic<Body>['better'],
): RecordStep {
  if (mine === undefined) return 'take'
  if (isDeepStrictEqual(plain(mine), plain(theirs))) return 'same'
  const counts = better(mine, theirs)
  // It was changed here since this station pushed the record.
  if (counts === 'even') return isOwn && isDirty ? 'push' : 'take'
  return counts === 'mine' ? 'push' : 'take'
}

/** As it is sent: without fields that are undefined. */
const plain = (body: unknown): unknown => JSON.parse(JSON.stringify(body))
