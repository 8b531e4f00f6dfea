import { describe, expect, it } from 'vitest'
import { claimText } from '../../../src-renderer/store/claim-text'
import { offlineTexts, stationName, stationStates } from '../../../src-renderer/store/station-text'
import { say } from '../../../src-renderer/text/text.svelte'
import type { StoreStation } from '../../../src-shared/ipc/contract/hub'
import { at } from './examples'

describe('the claim of an item', () => {
  const by = { station: '', stationId: 'x', orderId: '1004', since: at, isSold: true, revision: 1 }
  const chip = (count: number, total: number, station = 'Back counter') =>
    say({
      key: 'verdict.count',
      values: { count, total, verdict: say(claimText({ kind: 'held', by: { ...by, station }, isRefused: true })) },
    })

  it('says of how many items of a line it is', () => {
    expect(chip(1, 2)).toBe('1 of 2: Sold in order 1004 at Back counter')
    expect(chip(2, 2)).toBe('2 of 2: Sold in order 1004 at Back counter')
    expect(chip(1, 1)).toBe('Sold in order 1004 at Back counter')
  })

  it('names a station that was removed as that', () => {
    expect(chip(1, 1, '')).toBe('Sold in order 1004 at a removed station')
    expect(stationName('Till 2')).toBe('Till 2')
  })
})

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
      heartbeat: { ...well, ...says },
    },
  })
  const words = (one: StoreStation, awaited: string[] = []) =>
    stationStates(one, '1', awaited).map(({ text, next }) => [say(text), say(next)])

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

  it('is waited for until it has told the hub which items it holds', () => {
    expect(words(station({}), ['Front'])).toEqual([])
    expect(words(station({}), ['Front', 'Back'])).toEqual([
      ['Waiting for it', 'Start Countertag there: it then tells the store hub which items it holds.'],
    ])
  })
})

describe('a hub that can’t be worked with', () => {
  it.each([
    ['full', ['Ask the database administrator to make room.']],
    ['in-use', [expect.stringMatching(/^If this computer was set up from a copy of the other one/)]],
    ['refused', ['The computer answers, but not at this port.', expect.stringMatching(/^Check the port/)]],
  ] as const)('is not said twice to be %s, because the title says it', (trouble, texts) => {
    expect(offlineTexts(trouble).map(say)).toEqual(texts)
  })
})
