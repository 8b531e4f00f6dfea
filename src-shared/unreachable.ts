import type { AppError, ErrorCode } from './errors'

/** Nothing was sent because there is no token. Says nothing about a single report; a person has to fix the sign-in. */
export const withoutSignIn = [
  'service/credentials-refused',
  'service/credentials-missing',
  'keychain/missing',
  'keychain/locked',
  'keychain/denied',
  'keychain/failing',
  'keychain/vanished',
  'keychain/mismatch',
] as const satisfies ErrorCode[]

/** The service couldn't be reached: there is no connection, or the server's certificate is not trusted. */
export const outOfReach = [
  'service/unreachable',
  'service/not-trusted',
  'profile/no-ca-file',
] as const satisfies ErrorCode[]

const codes = new Set<ErrorCode>([...withoutSignIn, ...outOfReach])

/** Whether the request never reached the service, so that the failure says nothing about what was requested. */
export const isUnreachable = ({ code }: Pick<AppError, 'code'>): boolean => codes.has(code)

const troubles = new Set<ErrorCode>(['service/busy', 'service/failing', 'service/unreadable'])

/**
 * Whether a failure says nothing about what was requested: the service couldn't be reached, had problems, or something
 * else answered instead (a captive portal). Stored data is then the best available.
 */
export const isUnanswered = (error: Pick<AppError, 'code'>): boolean => isUnreachable(error) || troubles.has(error.code)
