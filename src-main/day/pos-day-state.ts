import type { PosDayView } from '../../src-shared/ipc/contract/pos-day'
import { assertNever } from '../../src-shared/result'

/**
 * Where the comparison of a day with the POS stands. `turn`, `ask`: a place in the queue, a later one comes first; `ask` is null if
 * the other stations needn't be asked again. `reported`: orders that were reported on since the comparison began. The table is in day.md.
 */
export type PosDayState =
  /** No file of the POS. */
  | { is: 'empty' }
  /** Not compared, or not as things are now: it is when a person looks at it. */
  | { is: 'outdated' }
  /** In the queue. */
  | { is: 'waiting'; turn: number }
  /** The other stations are asked what they reported. */
  | { is: 'asking'; reported: ReadonlySet<string>; ask: number | null }
  /** `done`: orders compared so far. */
  | { is: 'reading'; done: number; reported: ReadonlySet<string>; ask: number | null }
  | { is: 'compared'; ask: number | null }
  /** Compared; what the other stations reported since is being read. */
  | { is: 'following'; ask: number | null }
  /** The comparison broke off. */
  | { is: 'failed' }

export type PosDayEvent =
  /** A person looks at the day, by its view or its file (`isAnew`), or by its list. `asks`: the other stations are to be asked. */
  | { of: 'look'; hasFile: boolean; isAnew: boolean; asks: boolean; turn: number }
  /** The day's file has changed, a person decided about one of its products, or a product that no comparison has seen was reported. */
  | { of: 'due'; turn: number }
  /** What every comparison depends on has changed: the file of another day, or what a person decided of a product. */
  | { of: 'inputs'; turn: number }
  /** Its turn in the queue has come. */
  | { of: 'begin'; hasFile: boolean }
  | { of: 'answered' }
  | { of: 'progress'; done: number }
  /** An order was reported on at this station. */
  | { of: 'report'; orderId: string }
  /** All orders are compared. `isWhole`: also those that were reported on meanwhile. */
  | { of: 'end'; isWhole: boolean; turn: number }
  | { of: 'broke' }
  /** Nothing more comes of the queue. */
  | { of: 'closed' }

/** What becomes of a day. Pure. */
export function onPosDay(state: PosDayState, event: PosDayEvent): PosDayState {
  switch (event.of) {
    case 'look':
      return onLook(state, event)
    case 'due':
      return { is: 'waiting', turn: event.turn }
    case 'inputs':
      return onInputs(state, event.turn)
    case 'begin':
      if (state.is === 'waiting')
        return event.hasFile ? { is: 'asking', reported: new Set(), ask: null } : { is: 'empty' }
      return state.is === 'compared' ? { is: 'following', ask: null } : state
    case 'answered':
      return state.is === 'asking' ? { ...state, is: 'reading', done: 0 } : state
    case 'progress':
      return state.is === 'reading' ? { ...state, done: event.done } : state
    case 'report':
      if (state.is !== 'asking' && state.is !== 'reading') return state
      return { ...state, reported: new Set(state.reported).add(event.orderId) }
    case 'end':
      if (state.is !== 'reading' && state.is !== 'following') return state
      return event.isWhole ? { is: 'compared', ask: state.ask } : { is: 'waiting', turn: event.turn }
    case 'broke':
      return isUnderWay(state) ? { is: 'failed' } : state
    case 'closed':
      if (state.is === 'compared') return { is: 'compared', ask: null }
      return isComing(state) ? { is: 'failed' } : state
    default:
      return assertNever(event)
  }
}

function onLook(
  state: PosDayState,
  { hasFile, isAnew, asks, turn }: Extract<PosDayEvent, { of: 'look' }>,
): PosDayState {
  // Who waits for a day hears of it from the queue, also if its file is gone.
  if (state.is === 'waiting') return state
  if (!hasFile) return isUnderWay(state) ? state : { is: 'empty' }
  switch (state.is) {
    case 'empty':
    case 'outdated':
      return { is: 'waiting', turn }
    case 'failed':
      return isAnew ? { is: 'waiting', turn } : state
    case 'asking':
    case 'reading':
    case 'compared':
    case 'following':
      return asks ? { ...state, ask: turn } : state
    default:
      return assertNever(state)
  }
}

/** A day that is compared right now, or waited for, is compared once more. */
function onInputs(state: PosDayState, turn: number): PosDayState {
  if (state.is === 'empty' || state.is === 'failed' || state.is === 'waiting') return state
  return isComing(state) ? { is: 'waiting', turn } : { is: 'outdated' }
}

const isUnderWay = ({ is }: PosDayState) => is === 'asking' || is === 'reading' || is === 'following'

/** Its place in the queue; null if it is in none. Days that are to be compared come before those whose stations are asked again. */
export function queued(state: PosDayState): { what: 'all' | 'others'; turn: number } | null {
  if (state.is === 'waiting') return { what: 'all', turn: state.turn }
  return state.is === 'compared' && state.ask !== null ? { what: 'others', turn: state.ask } : null
}

/** Whether more is about to be known: the day is in the queue or under way. */
export const isComing = (state: PosDayState): boolean => isUnderWay(state) || queued(state) !== null

/** Whether each report is judged as it is made. */
export const isFollowed = ({ is }: PosDayState): boolean => is === 'compared' || is === 'following'

/** What the page calls it. */
export function shownAs({ is }: PosDayState): PosDayView['state'] {
  switch (is) {
    case 'empty':
      return 'none'
    case 'outdated':
    case 'waiting':
    case 'asking':
    case 'reading':
      return 'comparing'
    case 'compared':
    case 'following':
      return 'compared'
    case 'failed':
      return 'failed'
    default:
      return assertNever(is)
  }
}
