import type { ItemFlag } from '../../src-shared/ipc/checkout-view'
import type { ChipTone } from '../design/tones'
import type { Text } from '../messages/text.svelte'
import type { Sound } from '../scan/sounds'

export const flagText = (flag: ItemFlag): Text => ({ key: `checkout.flag.${flag}` })

export const flagTones: Record<ItemFlag, ChipTone> = {
  looking: 'working',
  unchecked: 'attention',
  'not-imported': 'bad',
  'unknown-to-service': 'bad',
  'sold-elsewhere': 'bad',
}

/** What a scan sounds like: an item that can still be mended is worth a look, one that will be refused is a refusal. */
export const flagSounds: Record<ItemFlag, Sound> = {
  looking: 'good',
  unchecked: 'attention',
  'not-imported': 'attention',
  'unknown-to-service': 'bad',
  'sold-elsewhere': 'bad',
}
