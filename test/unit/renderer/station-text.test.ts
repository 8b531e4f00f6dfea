import { describe, expect, it } from 'vitest'
import { stationStates } from '../../../src-renderer/store/station-text'
import { say } from '../../../src-renderer/text/text.svelte'
import type { StoreStation } from '../../../src-shared/ipc/contract/hub'
import { at } from './examples'

describe('a station at the Store screen', () => {
  const well = { unsent: 0, attention: 0, clockOffset: 0, hasScannerTrouble: false, unshared: 0, manifestOf: null }
  const station = (says: Partial<typeof well>, isThis = false): StoreStation => ({
    ...{
      id: 'a',
      name: 'Back',
      version: '1',
      isThis,
      seenAt: at,
      isGone: false,
      copyOf: null,
      says: { ...well, ...says },
    },
  })
  const words = (one: StoreStation) => stationStates(one, '1').map(({ text, next }) => [say(text), say(next)])

  it('is well if nothing is left to share', () => {
    expect(words(station({}))).toEqual([])
  })

  it('says what the other stations don’t know, and what helps', () => {
    expect(words(station({ unshared: 3 }))).toEqual([
      [
        '3 scans and imports not shared',
        'The other stations don’t know them. Start Countertag there and connect it to the store hub.',
      ],
    ])
    expect(words(station({ unshared: 1 }, true))).toEqual([
      ['1 scan or import not shared', 'The other stations don’t know them. Connect this station to the store hub.'],
    ])
  })
})
