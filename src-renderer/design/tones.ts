import CircleCheck from '@lucide/svelte/icons/circle-check'
import Clock from '@lucide/svelte/icons/clock'
import Ellipsis from '@lucide/svelte/icons/ellipsis'
import Info from '@lucide/svelte/icons/info'
import OctagonX from '@lucide/svelte/icons/octagon-x'
import TriangleAlert from '@lucide/svelte/icons/triangle-alert'
import type { Icon } from './icon'

/** What a colour stands for. Each has its own icon, for colour alone says nothing to one in twelve men. */
export type ChipTone = 'good' | 'attention' | 'bad' | 'waiting' | 'working' | 'plain'

export const toneIcons: Record<ChipTone, Icon> = {
  good: CircleCheck,
  attention: TriangleAlert,
  bad: OctagonX,
  waiting: Clock,
  working: Ellipsis,
  plain: Info,
}
