import type { AppError } from '../../src-shared/errors'
import type { Welcome } from '../../src-shared/ipc/guide-view'
import { type Result, ok } from '../../src-shared/result'
import { saved } from '../store/saved'
import type { StationFile } from './station-file'

/** The question of the first start: practise, or connect to a store. */
export interface FirstStart {
  view(): Welcome
  /** It was answered, by a choice or by the first scan. Errors: store/not-saved. */
  answered(): Result<null, AppError>
}

export function createFirstStart(file: StationFile): FirstStart {
  // A file with a connection in it, or one that was damaged, is of a station that has had its first start.
  const isNew = () => file.problem === null && !file.read().isWelcomed && file.read().profiles.length === 0
  return {
    view: () => ({ isNew: isNew() }),
    answered: () =>
      saved(() => {
        if (isNew()) file.change((settings) => ({ ...settings, isWelcomed: true }))
        return ok(null)
      }),
  }
}
