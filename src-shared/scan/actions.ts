import { z } from 'zod'

/** What a counter can do by scanning a printed code, so that it works without keyboard and mouse. */
export const Action = z.enum(['complete', 'cancel', 'remove', 'undo', 'hold'])
export type Action = z.infer<typeof Action>

/**
 * The text of each action's barcode. Capitals, digits and a colon only: a small QR code, and no text that is an id, a
 * package tag or an address. `npm run action-sheet` prints them.
 */
export const actionTexts: Record<Action, string> = {
  complete: 'CT:COMPLETE',
  cancel: 'CT:CANCEL',
  remove: 'CT:REMOVE',
  undo: 'CT:UNDO',
  hold: 'CT:HOLD',
}

const actionOfText = new Map(Action.options.map((action) => [actionTexts[action], action] as const))

const longestText = Math.max(...Object.values(actionTexts).map((text) => text.length))

/** The action that a scanned text stands for. Small letters count as well: Caps Lock turns the one into the other. */
export const actionOf = (text: string): Action | undefined =>
  text.length > longestText ? undefined : actionOfText.get(text.toUpperCase())
