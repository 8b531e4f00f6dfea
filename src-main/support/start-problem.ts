import { AppStartError, type StartErrorCode } from '../store/start-error'

/** Why a Countertag does not start, or has nothing to show (`page/died`); `unexpected` is a mistake of ours, then or later. */
export type StartProblemCode = StartErrorCode | 'page/died' | 'unexpected'

/** What the person in front of a Countertag that cannot start, or go on, is told. Never a stack trace. */
export interface StartProblem {
  code: StartProblemCode
  /** The one sentence for a command line; it may name a file. */
  sentence: string
  /** This station's data. */
  dataDir: string
  /** Where whoever helps finds more; null when not even that could be written. */
  reportFile: string | null
}

export function startProblemOf(cause: unknown, places: Pick<StartProblem, 'dataDir' | 'reportFile'>): StartProblem {
  const told =
    cause instanceof AppStartError
      ? { code: cause.code, sentence: cause.message }
      : { code: 'unexpected' as const, sentence: 'Something went wrong inside Countertag.' }
  return { ...told, ...places }
}

/** Of a Countertag that runs, and whose page ends as often as it is loaded. */
export const pageProblem = (places: Pick<StartProblem, 'dataDir' | 'reportFile'>): StartProblem => ({
  code: 'page/died',
  sentence: 'The page of Countertag ended, and could not be brought back.',
  ...places,
})
