import type { OperationView } from '../../../src-shared/ipc/contract/outbox'
import type { Intent, Line, Sight } from '../ledger'
import { isReopened } from './causes'
import { type Complain, sameItems } from './evidence'

type Mode = 'sale' | 'return'
type Finish = Extract<Intent, { orderId: string; tagIds: string[] }>

/** What the person was doing to a cart when the station died. */
type Open =
  | { kind: 'scan'; tagId: string }
  | { kind: 'drop'; tagId: string | null }
  | { kind: 'finish'; intent: Finish; mayBeSavedBefore: boolean }
  | { kind: 'reopen'; operationId: string }

interface Cart {
  tagIds: string[]
  open: Open | undefined
}

/**
 * After a crash, a cart is as it was before or after the step in progress; and it is emptied or filled in the same
 * commit that saves or withdraws its operation.
 */
export function judgeCarts(lines: readonly Line[], complain: Complain): void {
  const carts: Record<Mode, Cart> = { sale: { tagIds: [], open: undefined }, return: { tagIds: [], open: undefined } }
  /** Operations that were returned by a call or seen on a screen. */
  const known = new Set<string>()
  /** Finishes of this life that are not known yet to have produced an operation, by their call. */
  const untold = new Map<number, Finish>()

  const look = (sight: Sight) => {
    for (const mode of ['sale', 'return'] as const) {
      const actual = sight.carts[mode].tagIds
      if (!isAllowed(carts[mode], actual, sight.operations, known)) {
        const held = `${carts[mode].tagIds.join() || 'nothing'} (${JSON.stringify(carts[mode].open ?? 'at rest')})`
        complain('lost', `the ${mode} cart held ${held}; after the crash ${actual.join() || 'nothing'}`)
      }
      carts[mode] = { tagIds: actual, open: undefined }
    }
    for (const { id } of sight.operations) known.add(id)
    untold.clear()
  }

  for (const line of lines) {
    if (line.line === 'opened') look(line.sight)
    if (line.line === 'scans') carts[line.mode].open = { kind: 'scan', tagId: line.tagId }
    if (line.line === 'scanned') {
      carts[line.mode] = { tagIds: [...carts[line.mode].tagIds, line.tagId], open: undefined }
    }
    if (line.line === 'drops') carts[line.mode].open = { kind: 'drop', tagId: line.tagId }
    if (line.line === 'dropped') {
      carts[line.mode] = { tagIds: without(carts[line.mode].tagIds, line.tagId), open: undefined }
    }
    if (line.line === 'intends') {
      const { intent, call } = line
      if (intent.kind === 'reopen') carts[intent.mode].open = intent
      if (intent.kind === 'complete' || intent.kind === 'return') {
        const mayBeSavedBefore = [...untold.values()].some((one) => isAlike(one, intent))
        carts[intent.kind === 'complete' ? 'sale' : 'return'].open = { kind: 'finish', intent, mayBeSavedBefore }
        untold.set(call, intent)
      }
    }
    if (line.line === 'told') {
      const intent = untold.get(line.call)
      untold.delete(line.call)
      for (const mode of ['sale', 'return'] as const) {
        const { open } = carts[mode]
        if (open?.kind === 'finish' && open.intent === intent) carts[mode] = { tagIds: [], open: undefined }
      }
      if (line.view) known.add(line.view.id)
    }
    if (line.line === 'reopened') carts[line.mode] = { tagIds: line.tagIds, open: undefined }
  }
}

function isAllowed({ tagIds, open }: Cart, actual: string[], operations: OperationView[], known: ReadonlySet<string>) {
  const isAsBefore = sameItems(actual, tagIds)
  switch (open?.kind) {
    case undefined:
      return isAsBefore
    case 'scan':
      return isAsBefore || sameItems(actual, [...tagIds, open.tagId])
    case 'drop':
      return isAsBefore || sameItems(actual, without(tagIds, open.tagId))
    case 'finish': {
      const { intent } = open
      const isSaved = operations.some(
        (one) =>
          !known.has(one.id) &&
          one.kind === intent.kind &&
          one.orderId === intent.orderId &&
          one.itemCount === intent.tagIds.length,
      )
      return isSaved ? actual.length === 0 || (open.mayBeSavedBefore && isAsBefore) : isAsBefore
    }
    case 'reopen': {
      const isTakenBack = operations.some((one) => one.id === open.operationId && isReopened(one))
      return isTakenBack ? actual.length > 0 : isAsBefore
    }
  }
}

/** Null clears the cart. */
const without = (tagIds: readonly string[], tagId: string | null) =>
  tagId === null ? [] : tagIds.filter((one) => one !== tagId)

const isAlike = (a: Finish, b: Finish) =>
  a.kind === b.kind && a.orderId === b.orderId && a.tagIds.length === b.tagIds.length
