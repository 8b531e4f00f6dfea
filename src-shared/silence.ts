import type { AppError, ErrorCode } from './errors'

/** Nothing was sent, for want of a token: of no one report, and mended by a person. */
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

/** Nobody could be asked: the line is down, or who answers there is not to be trusted. */
export const outOfReach = [
  'service/unreachable',
  'service/not-trusted',
  'profile/no-ca-file',
] as const satisfies ErrorCode[]

const codes = new Set<ErrorCode>([...withoutSignIn, ...outOfReach])

/** Whether a failure says nothing about what was asked: the question never got there. */
export const isSilence = ({ code }: Pick<AppError, 'code'>): boolean => codes.has(code)

const troubles = new Set<ErrorCode>(['service/busy', 'service/failing', 'service/unreadable'])

/**
 * Whether a failure says nothing about the thing that was asked for: nobody could be asked, or who answered was in trouble
 * or somebody else (a captive portal). What is remembered is then the best there is.
 */
export const isUnanswered = (error: Pick<AppError, 'code'>): boolean => isSilence(error) || troubles.has(error.code)
