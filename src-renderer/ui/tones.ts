import CircleCheck from '@lucide/svelte/icons/circle-check'
import Clock from '@lucide/svelte/icons/clock'
import Ellipsis from '@lucide/svelte/icons/ellipsis'
import Info from '@lucide/svelte/icons/info'
import OctagonX from '@lucide/svelte/icons/octagon-x'
import TriangleAlert from '@lucide/svelte/icons/triangle-alert'
import type X from '@lucide/svelte/icons/x'

/** One of lucide's icons. They are imported one by one: their barrel file slows every build and check. */
export type Icon = typeof X

/** Where a step of a job is; `step.<state>` is its word. */
export type StepState = 'todo' | 'done' | 'attention' | 'optional' | 'none'

/** What a color stands for. Each has its own icon: one man in twelve can't tell the colors apart. */
export type ChipTone = 'good' | 'attention' | 'bad' | 'waiting' | 'working' | 'plain'

export const toneIcons: Record<ChipTone, Icon> = {
  good: CircleCheck,
  attention: TriangleAlert,
  bad: OctagonX,
  waiting: Clock,
  working: Ellipsis,
  plain: Info,
}

export const stepTones: Record<StepState, ChipTone> = {
  todo: 'waiting',
  done: 'good',
  attention: 'attention',
  optional: 'plain',
  none: 'plain',
}
