import type { AppError } from '../../src-shared/errors'
import type { Gap } from '../../src-shared/ipc/find-view'
import type { Result } from '../../src-shared/result'
import { ok } from '../../src-shared/result'
import type { DigitalCoaV15 } from '../../src-shared/service/coas'
import type { KnownCodes } from '../scanner/known-codes'
import type { V12Client } from '../service-client/v12'
import type { V15Client } from '../service-client/v15'
import type { Turns } from '../turns'
import type { AnyBody } from './body'
import type { Gaps } from './gaps'

/** What the questions about one kind of thing need. */
export interface Asking {
  v12: Pick<V12Client, 'cases' | 'collections' | 'items' | 'packageUids' | 'products'>
  v15: Pick<V15Client, 'batches' | 'collections' | 'digitalCoas' | 'items' | 'products'>
  /** So many questions side by side, over all things that are looked up. */
  turns: Turns
  /** Told of every address that the service prints on a label. */
  learn: (...address: Parameters<KnownCodes['learn']>) => void
}

/** What became of the questions about one thing. */
export interface Told {
  body: AnyBody
  gaps: Gap[]
  /** Other things that the same answers tell all about, and the case that they are of. */
  besides?: { via: string; bodies: AnyBody[] }
}

export type Found = Result<Told, AppError>

/** The value of a read that may not have been made at all. */
export const valueOf = <T>(result: Result<T, AppError> | undefined): T | undefined =>
  result?.ok ? result.value : undefined

export const errorsIn = (...results: (Result<unknown, AppError> | undefined)[]): AppError[] =>
  results.flatMap((result) => (result === undefined || result.ok ? [] : [result.error]))

/** Certificates read one by one. */
const mostCoas = 20

/** The certificates of some ids; the first that can't be had is a gap. */
export async function readCoas({ v15, turns }: Asking, ids: readonly string[], gaps: Gaps): Promise<DigitalCoaV15[]> {
  const wanted = [...new Set(ids)].slice(0, mostCoas)
  const read = await Promise.all(wanted.map((coaId) => turns(() => v15.digitalCoas.get(coaId))))
  return read.flatMap((coa) => gaps.take('coas', coa) ?? [])
}

export const told = (body: AnyBody, gaps: Gaps, besides?: Told['besides']): Found =>
  ok({ body, gaps: gaps.all(), ...(besides ? { besides } : {}) })
