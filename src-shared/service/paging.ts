import { z } from 'zod'

/**
 * One page of a list. `next` and `previous` are full addresses with the query parameter `page`; the caller must check
 * that they lead to the same service. Spec: Conventions, "Paged lists".
 */
export const paged = <Entry extends z.ZodType>(entry: Entry) =>
  z.looseObject({
    count: z.number().int().nonnegative(),
    next: z.string().nullish(),
    previous: z.string().nullish(),
    results: z.array(entry),
  })

export interface Page<T> {
  count: number
  next?: string | null | undefined
  previous?: string | null | undefined
  results: T[]
}
