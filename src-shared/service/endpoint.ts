import { z } from 'zod'

/**
 * How the tables of endpoints (`endpoints-v12.ts`, `endpoints-v15.ts`) describe one endpoint: its path, method and
 * schemas, defined once. The client's methods and the OpenAPI document derive from the tables.
 */
export interface Endpoint<
  Path extends string = string,
  Request extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The path with its parameters, as in the specification: `/api/v1.5/brands/<uuid>/`. */
  path: Path
  /** The JSON body; `Nothing` if there is none. */
  request: Request
  /** The body of a success; `Nothing` if there is none or it carries no information. */
  answer: Answer
  /** False if the specification does not show the body of a success: then any body or none is accepted. */
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

/** A read of a list or a single resource. */
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

/** A request without a body, and without information in its success. */
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
