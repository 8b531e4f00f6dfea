import type { Place } from '../../src-shared/scan/meaning'

/**
 * The screens in the order of the rail, which is that of their keys (the store's only if there are other stations): the key
 * that opens each, and the place that its scans are read for.
 */
export const screens = {
  receiving: { key: 'F1', place: 'receiving' },
  checkout: { key: 'F2', place: 'checkout' },
  orders: { key: 'F3', place: 'other' },
  find: { key: 'F4', place: 'other' },
  outbox: { key: 'F5', place: 'other' },
  settings: { key: 'F6', place: 'other' },
  store: { key: 'F7', place: 'other' },
  stock: { key: 'F8', place: 'other' },
} satisfies Record<string, { key: string; place: Place }>

export type ScreenName = keyof typeof screens

export const isScreen = (name: string): name is ScreenName => Object.hasOwn(screens, name)
export const screenNames = Object.keys(screens).filter(isScreen)
