import { AppStartError } from '../store/open'

/** What the person in front of a Countertag that cannot start is told. Never a stack trace. */
export function startProblem(cause: unknown): string {
  if (cause instanceof AppStartError) return cause.message
  return 'Something went wrong while Countertag started. Your data was not changed. Restart the computer and try again.'
}
