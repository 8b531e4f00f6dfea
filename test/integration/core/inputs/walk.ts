import type { CallInput, CallName } from '../../../../src-shared/ipc/contract'

/**
 * Inputs that each call of these areas accepts, and inputs that it must refuse. A new call without them doesn't
 * compile.
 */
export type Walk<Area extends string> = {
  [Name in Extract<CallName, `${Area}.${string}`>]: { good: CallInput<Name>[]; bad: unknown[] }
}

export const id = 'VaVSFGDiox2pHf8GmQmTfG'
export const operationId = '9af49740-96f5-40ee-9e25-02420ae59635'
