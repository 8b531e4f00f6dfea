import type { GuideStep } from '../../src-shared/ipc/guide-view'

export type ChapterName = 'delivery' | 'sale' | 'outage'

export interface Chapter {
  name: ChapterName
  steps: readonly GuideStep[]
}

export const chapters: readonly Chapter[] = [
  { name: 'delivery', steps: ['package', 'cases', 'pos-ids', 'import'] },
  { name: 'sale', steps: ['checkout', 'items', 'complete', 'void'] },
  { name: 'outage', steps: ['offline', 'saved', 'sent'] },
]

/** What is done once `seen` happened as well: whoever did a later step of a chapter needs no earlier one. */
export function withSeen(done: readonly GuideStep[], seen: readonly GuideStep[]): GuideStep[] {
  return chapters.flatMap(({ steps }) => {
    const furthest = Math.max(...seen.map((step) => steps.indexOf(step)), -1)
    return steps.filter((step, index) => index <= furthest || done.includes(step))
  })
}

/** The step to do now: of the chapter that was chosen while it has one, otherwise the first of all; null at the end. */
export function nextStep(done: readonly GuideStep[], chosen: ChapterName | null): GuideStep | null {
  const inTurn = [...chapters.filter(({ name }) => name === chosen), ...chapters].flatMap(({ steps }) => steps)
  return inTurn.find((step) => !done.includes(step)) ?? null
}

export function chapterOf(step: GuideStep): ChapterName | null {
  return chapters.find(({ steps }) => steps.includes(step))?.name ?? null
}
