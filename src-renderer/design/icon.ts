import type X from '@lucide/svelte/icons/x'

/** One of lucide's icons. They are imported one by one: their barrel slows every build and check. */
export type Icon = typeof X
