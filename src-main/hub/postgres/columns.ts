import { z } from 'zod'
import { knownNameOf } from '../../../src-shared/names'
import { latestMoment } from '../rows'

/** Numbers of 64 bits arrive as text. Null is not zero. */
const numeric = z.union([z.number(), z.string().min(1).max(40)]).pipe(z.coerce.number())

/** A revision, epoch or count. */
export const WholeNumber = numeric.pipe(z.number().int().nonnegative())

/** Ms since 1970. PostgreSQL's own times reach to the year 294276. */
export const HubMoment = numeric.pipe(z.number().min(0).max(latestMoment))

/** A moment that is only shown: one out of range must not hide what else the row says. */
export const RoughMoment = HubMoment.catch(0)

/** Bounds of what another station may have written. */
export const Id = z.string().max(100)
export const BoundedName = knownNameOf(200)
export const BoundedText = z.string().max(2_000)

/** The entries of a list that can be read: one that can't costs only itself. */
export const readable = <T>(one: z.ZodType<T>) =>
  z.array(z.unknown()).transform((all) => all.flatMap((each) => one.safeParse(each).data ?? []))
