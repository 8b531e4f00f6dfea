import type { CartItem, CartLine, CartStep, CartView } from './ipc/contract/checkout'

/**
 * The steps of a cart. A scan changes one item of a cart that may hold hundreds: main says which, and the page puts it into
 * the view that it has. Items are compared as objects: one that has not changed is the same object in both views. An equal
 * one that isn't is only sent in vain.
 */

/** What leads from one view to the next; undefined if that is not a step: then the whole cart is needed. */
export function stepBetween(before: CartView, after: CartView): CartStep | undefined {
  const isSameOrder =
    before.id === after.id &&
    before.orderId === after.orderId &&
    before.customerId === after.customerId &&
    before.budtender?.id === after.budtender?.id &&
    before.budtender?.name === after.budtender?.name
  // A cart that is told again under its number may show more than before.
  if (!isSameOrder || before.revision >= after.revision) return undefined
  if (!before.lines.every(({ key }, at) => key === after.lines[at]?.key)) return undefined
  const changed: CartLine[] = []
  for (const [at, line] of after.lines.entries()) {
    const items = changedItems(before.lines[at], line)
    if (!items) return undefined
    if (items.length > 0 || !isSameHead(before.lines[at], line)) changed.push({ ...line, items })
  }
  const { mode, revision, itemCount, last, mustConfirm } = after
  return { mode, revision, itemCount, last, mustConfirm, since: before.revision, changed }
}

/** The view after a step. Only for the view that the step begins at. */
export function afterStep(view: CartView, { since: _, changed, ...head }: CartStep): CartView {
  const changes = new Map(changed.map((line) => [line.key, line]))
  const lines = view.lines.map((line) => {
    const change = changes.get(line.key)
    changes.delete(line.key)
    return change ? { ...change, items: afterChange(line.items, change.items) } : line
  })
  return { ...view, ...head, lines: [...lines, ...changes.values()] }
}

/** Undefined if an item has left its place in the line. */
function changedItems(before: CartLine | undefined, { items }: CartLine): CartItem[] | undefined {
  const isKept = before?.items.every(({ tagId }, at) => tagId === items[at]?.tagId) ?? true
  return isKept ? items.filter((item, at) => item !== before?.items[at]) : undefined
}

const isSameHead = (before: CartLine | undefined, line: CartLine) =>
  before?.productName === line.productName &&
  before.brandName === line.brandName &&
  before.pictureUrl === line.pictureUrl &&
  before.expected === line.expected

function afterChange(items: CartItem[], changed: CartItem[]): CartItem[] {
  const changes = new Map(changed.map((item) => [item.tagId, item]))
  const kept = items.map((item) => {
    const change = changes.get(item.tagId) ?? item
    changes.delete(item.tagId)
    return change
  })
  return [...kept, ...changes.values()]
}
