import type { AppError } from '../../src-shared/errors'
import type { CallName, CallOutput, CallRequest } from '../../src-shared/ipc/contract'
import type { Result } from '../../src-shared/result'

export type Handler<Name extends CallName> = (
  input: CallRequest<Name>,
) => Promise<Result<CallOutput<Name>, AppError>> | Result<CallOutput<Name>, AppError>

/** One handler for each call of the contract: a missing one does not compile. */
export type Handlers = { [Name in CallName]: Handler<Name> }

/** What is of the station and not of the profile it works with: it outlives the core. */
export type StationCall = Extract<
  CallName,
  `${'station' | 'connection' | 'security' | 'support' | 'till' | 'update'}.${string}`
>
export type StationHandlers = Pick<Handlers, StationCall>
export type CoreHandlers = Omit<Handlers, StationCall>
