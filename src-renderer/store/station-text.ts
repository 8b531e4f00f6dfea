import type { HubTrouble, HubView, StoreStation } from '../../src-shared/ipc/contract/hub'
import { since, span } from '../text/moments'
import type { Text } from '../text/text.svelte'
import type { ChipTone } from '../ui/tones'

/** A station as a sentence names it: the hub forgets the name of one that was removed. */
export const stationName = (name: string): string | Text => (name === '' ? { key: 'hub.removed-station' } : name)

/** Troubles of a hub that answers have words of their own. */
const answering = ['read-only', 'full', 'in-use'] as const
const answeringTrouble = (trouble: HubTrouble | null) => answering.find((one) => one === trouble)

/** The short word for a station that can't work with its hub. */
export const offlineWord = (trouble: HubTrouble | null) => {
  const word = answeringTrouble(trouble)
  return word === undefined ? 'hub.offline' : (`hub.offline.${word}` as const)
}

/** Why it can't and the step that helps, where the title doesn't say it. */
export function offlineTexts(trouble: HubTrouble): Text[] {
  if (trouble === 'in-use') return [{ key: 'store.offline.in-use.next' }]
  const next: Text = { key: `join.trouble.${trouble}.next` }
  return answeringTrouble(trouble) ? [next] : [{ key: `join.trouble.${trouble}` }, next]
}

/** The title of the same. */
export const offlineTitle = (trouble: HubTrouble | null) => {
  const word = answeringTrouble(trouble)
  return word === undefined ? 'store.offline.title' : (`store.offline.title.${word}` as const)
}

/** What a person should know of a store whose hub answers; undefined if all is well. */
export function hubWord({
  hasRival,
  hasCopy,
  awaited,
  station,
  policy,
}: HubView): { word: Text; means: Text } | undefined {
  const values = { station: station ?? '', stations: awaited, policy }
  const key = hasRival ? 'hub.rival' : awaited.length > 0 ? 'hub.awaited' : hasCopy ? 'hub.copy' : undefined
  return key && { word: { key, values }, means: { key: `${key}.means`, values } }
}

interface StationState {
  tone: ChipTone
  text: Text
  /** The step that helps. */
  next: Text
}

/** A clock that is off by more than this, in ms, is worth a word. */
const tolerableSkew = 120_000

/**
 * What is wrong with a station, gravest first; empty if all is well. `awaited`: names of the stations that have not told
 * the store hub what they hold.
 */
export function stationStates(
  { name, isThis, isGone, copyOf, seenAt, heartbeat, version }: StoreStation,
  ownVersion: string,
  awaited: readonly string[] = [],
): StationState[] {
  const states: StationState[] = []
  const add = (tone: ChipTone, key: StationKey, values: Text['values'] = {}) =>
    states.push({ tone, text: { key: `store.state.${key}`, values }, next: { key: `store.next.${key}`, values } })
  if (copyOf !== null) {
    add('attention', 'copy', { station: copyOf })
    return states
  }
  if (isGone) add('bad', 'gone', { since: since(seenAt) })
  if (awaited.includes(name)) add('attention', 'awaited')
  if (heartbeat === null) add('attention', 'unreadable')
  if (heartbeat && heartbeat.attention > 0)
    add('bad', 'attention', { count: heartbeat.attention, isThis: isThis ? 'yes' : 'no' })
  if (heartbeat && heartbeat.unsent > 0) add('attention', 'unsent', { count: heartbeat.unsent })
  if (heartbeat && heartbeat.unshared > 0)
    add('attention', 'unshared', { count: heartbeat.unshared, isThis: isThis ? 'yes' : 'no' })
  if (heartbeat && Math.abs(heartbeat.clockOffset) > tolerableSkew)
    add('attention', 'clock', {
      span: span(heartbeat.clockOffset),
      direction: heartbeat.clockOffset > 0 ? 'behind' : 'ahead',
    })
  if (heartbeat?.hasScannerTrouble) add('attention', 'scanner', { isThis: isThis ? 'yes' : 'no' })
  if (version !== ownVersion) add('attention', 'version', { version, own: ownVersion })
  return states
}

type StationKey =
  'awaited' | 'copy' | 'gone' | 'unreadable' | 'attention' | 'unsent' | 'unshared' | 'clock' | 'scanner' | 'version'
