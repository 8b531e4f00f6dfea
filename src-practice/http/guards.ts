import type { Caller, Ctx, Guard, Parts, RetailCaller } from './context'
import { forbidden, unauthorized } from './answers'

/** Lets a request pass that carries a token in force, and notes whom it speaks for. Spec: Authentication > 4, 5. */
export function requireToken({ tokens }: Parts): Guard {
  return async (c, next) => {
    const token = /^Bearer +(\S+) *$/i.exec(c.req.header('Authorization') ?? '')?.[1]
    const caller = token === undefined ? undefined : tokens.callerOf(token)
    if (caller === undefined) return unauthorized(c)
    c.set('caller', caller)
    return next()
  }
}

/** Only the sourcing product writes in the catalogue of `/api/v1.5`; of a collection its owner decides. */
export const requireSourcing: Guard = async (c, next) => {
  if (c.get('caller').product === 'retail') return forbidden(c)
  return next()
}

/** Only a retail account with a dispensary has an inventory and sells. */
export const requireDispensary: Guard = async (c, next) => {
  if (retailCaller(c.get('caller')) === undefined) return forbidden(c)
  return next()
}

function retailCaller(caller: Caller): RetailCaller | undefined {
  const { dispensaryUuid } = caller
  return caller.product !== 'sourcing' && dispensaryUuid !== null ? { ...caller, dispensaryUuid } : undefined
}

/** The caller behind `requireDispensary`. */
export function retail(c: Ctx): RetailCaller {
  const caller = retailCaller(c.get('caller'))
  if (caller === undefined) throw new Error('This route misses its guard requireDispensary')
  return caller
}
