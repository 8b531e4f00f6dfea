import { z } from 'zod'

/**
 * How the tables of endpoints (`endpoints-v12.ts`, `endpoints-v15.ts`) describe one endpoint: the one place where a
 * path, its method and its schemas stand together. The client's methods and the OpenAPI document derive from it.
 */
export interface Endpoint<
  Path extends string = string,
  Request extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With its parameters as in the specification: `/api/v1.5/brands/<uuid>/`. */
  path: Path
  /** The JSON body; `Nothing` for none. */
  request: Request
  /** The body of success; `Nothing` when it has none, or none that says anything. */
  answer: Answer
  /** False where the specification does not show the body of success: then any body will do, or none. */
  isShown: boolean
  success: 200 | 204
}

/** No body. */
export const Nothing = z.null()

/** A value for each parameter of a path, in order. */
export type PathValues<Path extends string> = Path extends `${string}<${string}>${infer Rest}`
  ? readonly [string, ...PathValues<Rest>]
  : readonly []

type Read<Path extends string, Answer extends z.ZodType> = Endpoint<Path, typeof Nothing, Answer>

/** A list or a thing that is read. */
export const read = <const Path extends string, Answer extends z.ZodType>(
  path: Path,
  answer: Answer,
): Read<Path, Answer> => ({ method: 'GET', path, request: Nothing, answer, isShown: true, success: 200 })

/** A request with a body. */
export const write = <const Path extends string, Request extends z.ZodType, Answer extends z.ZodType>(
  method: 'POST' | 'PUT' | 'PATCH',
  path: Path,
  request: Request,
  answer: Answer,
  isShown = true,
): Endpoint<Path, Request, Answer> => ({ method, path, request, answer, isShown, success: 200 })

/** A request without a body, whose success says nothing. */
export const command = <const Path extends string>(
  method: Endpoint['method'],
  path: Path,
): Endpoint<Path, typeof Nothing, typeof Nothing> => ({
  method,
  path,
  request: Nothing,
  answer: Nothing,
  isShown: false,
  success: method === 'DELETE' ? 204 : 200,
})
