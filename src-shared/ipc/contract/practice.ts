import { z } from 'zod'
import { PracticeCode, PracticeFault } from '../app-view'
import { GuideProgress } from '../guide-view'
import { call, nothing, done } from './call'

/** The practice store: its codes, its faults and its guide. */
export const practiceCalls = {
  'practice.codes': call(nothing, z.array(PracticeCode)),
  'practice.fault': call(nothing, z.object({ fault: PracticeFault })),
  'practice.setFault': call(z.object({ fault: PracticeFault }), done),
  /** The guided first delivery and sale: kept with the practice data. */
  'practice.guide': call(nothing, GuideProgress),
  'practice.setGuide': call(GuideProgress, done),
} as const
