import type { AppError } from '../../src-shared/errors'
import type { Result } from '../../src-shared/result'
import { isLeft } from './gate.svelte'

/** The steps that a person takes in one place: one at a time, and why the last one was refused. */
export class Command {
  /** Buttons stay enabled meanwhile where a disabled one would lose the focus: a second press does nothing. */
  isBusy = $state(false)
  error = $state.raw<AppError | null>(null)

  /**
   * Takes a step. Returns its answer; null if another one is under way, and this one was not taken. `done` runs for a good
   * answer while the next step still waits. A person who left the question of a step is shown no error.
   */
  async run<Value>(
    step: () => Promise<Result<Value, AppError>>,
    done?: (value: Value) => unknown,
  ): Promise<Result<Value, AppError> | null> {
    if (this.isBusy) return null
    this.isBusy = true
    try {
      const answer = await step()
      this.error = answer.ok || isLeft(answer.error) ? null : answer.error
      if (answer.ok) await done?.(answer.value)
      return answer
    } finally {
      this.isBusy = false
    }
  }

  /** Takes a step; true if it succeeded. */
  async does(step: () => Promise<Result<unknown, AppError>>): Promise<boolean> {
    return (await this.run(step))?.ok === true
  }

  /** Another person, place or day: why a step was refused says nothing about it. */
  forget(): void {
    this.error = null
  }
}
