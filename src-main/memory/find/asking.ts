import { type AppError, withoutSignIn } from '../../../src-shared/errors'
import type { MissingPart, Entity, EntityKind } from '../../../src-shared/ipc/contract/find'
import { type Result, ok } from '../../../src-shared/result'
import type { DigitalCoaV15 } from '../../../src-shared/service/coas'
import type { CaseFacts, TagFacts } from '../../../src-shared/service/facts'
import type { KnownCodes } from '../../scanner/known-codes'
import type { V12Client } from '../../service/v12'
import type { V15Client } from '../../service/v15'

/** What the questions about one kind of thing need. */
export interface Asking {
  v12: Pick<V12Client, 'cases' | 'collections' | 'items' | 'packageUids' | 'products'>
  v15: Pick<V15Client, 'batches' | 'collections' | 'digitalCoas' | 'items' | 'products'>
  /** Limits the requests that run side by side, over all things that are looked up. */
  limit: <T>(request: () => Promise<T>) => Promise<T>
  /** Receives every address that the service prints on a label. */
  learn: (...address: Parameters<KnownCodes['learn']>) => void
}

/** What the service's answers make of a thing: a view without what only the station knows. */
export type EntityBody<Kind extends EntityKind> = Omit<
  Entity<Kind>,
  'knowledge' | 'unreachable' | 'missing' | 'operations' | 'watched' | 'standing'
>
export type AnyBody = { [Kind in EntityKind]: EntityBody<Kind> }[EntityKind]

/** What the questions about one thing brought. */
export interface AskedAnswer {
  body: AnyBody
  missing: MissingPart[]
  /** Other things that the same answers describe in full, and the case that they come from. */
  related?: Related | undefined
  /** For an item: what checkout scans use. */
  scanned?: Scanned | undefined
}

/** What a scan would know after the same answers: the case's facts, or those of an item without a readable case. */
export interface Scanned {
  tag: TagFacts
  caseFacts: CaseFacts | undefined
}

export interface Related {
  via: string
  bodies: AnyBody[]
}

export type Asked = Result<AskedAnswer, AppError>

export const answer = (body: AnyBody, missing: Missing, related?: Related, scanned?: Scanned): Asked =>
  ok({ body, missing: missing.all(), ...(related ? { related } : {}), ...(scanned ? { scanned } : {}) })

/** The value of a read, undefined if it failed or was not made. */
export const valueOf = <T>(result: Result<T, AppError> | undefined): T | undefined =>
  result?.ok ? result.value : undefined

export const errorsIn = (...results: (Result<unknown, AppError> | undefined)[]): AppError[] =>
  results.flatMap((result) => (result === undefined || result.ok ? [] : [result.error]))

type Missing = ReturnType<typeof createMissing>

/** Collects the parts of a thing that could not be read, while the others are. */
export function createMissing() {
  const found: MissingPart[] = []
  return {
    /** The value of a read; if it failed, its part is missing. */
    take<T>(part: MissingPart['part'], result: Result<T, AppError>): T | undefined {
      if (result.ok) return result.value
      // Our company's catalog doesn't list other companies' things: for those, v1.2 has all the data.
      const isNotOurs = result.error.code === 'service/not-found' || result.error.code === 'service/forbidden'
      if (part === 'catalogue' && isNotOurs) return undefined
      if (!found.some((one) => one.part === part)) found.push({ part, reason: result.error })
      return undefined
    },
    /** Each part once, with its first reason. */
    all: () => found,
  }
}

const saysNothing = new Set<string>([...withoutSignIn, 'service/forbidden', 'service/foreign-host'])

/**
 * The error to report when every question about a thing failed. "Not found" if one answer says so and the others agree or
 * had no account to ask with; otherwise the failure of a question that might have found it.
 */
export function judge(errors: readonly AppError[]): AppError | undefined {
  const telling = errors.filter(({ code }) => !saysNothing.has(code))
  return telling.find(({ code }) => code !== 'service/not-found') ?? telling[0] ?? errors[0]
}

/** Certificates that are read one by one. */
const mostCoas = 20

/** The certificates with these ids. */
export async function readCoas(
  { v15, limit }: Asking,
  ids: readonly string[],
  missing: Missing,
): Promise<DigitalCoaV15[]> {
  const wanted = [...new Set(ids)].slice(0, mostCoas)
  const read = await Promise.all(wanted.map((coaId) => limit(() => v15.digitalCoas.get(coaId))))
  return read.flatMap((coa) => missing.take('coas', coa) ?? [])
}
