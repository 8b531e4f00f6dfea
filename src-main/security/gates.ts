import { isDeepStrictEqual } from 'node:util'
import type { AppError, AppErrorOf, ResultOf } from '../../src-shared/errors'
import {
  type Approval,
  type Gate,
  type GateLevel,
  type GateLevels,
  type GateQuestion,
  usualGateLevels,
} from '../../src-shared/gates'
import type { Shown } from '../../src-shared/people'
import { type Result, err } from '../../src-shared/result'
import type { NotSaved } from '../database/saved'
import type { NotShown } from '../people/sign-in'

/** Why a PIN is not taken; `security/wrong-pin` has the wait before the next try. */
export type PinCode = 'security/no-pin' | 'security/wrong-pin'

/** Why an approval is not enough. */
export type TooLittle = PinCode | NotShown | 'people/not-permitted' | 'gate/reason-missing' | 'gate/pin-missing'

/** The people who may approve what a gate wants a PIN for. */
export interface Approvers {
  /** Whether there are any. */
  are: () => boolean
  /** Why the approval of the person who shows this isn't enough; undefined if it is, and their name is noted. */
  approve: (shown: Shown) => Promise<AppErrorOf<NotShown | 'people/not-permitted'> | undefined>
}

/** What the gates go by: the station's levels, and the manager's PIN. */
export interface GateRules {
  levelOf: (gate: Gate) => GateLevel
  /** Whether a PIN is set, or the company's policy requires one. Without one, a reason is enough. */
  needsPin: () => boolean
  checkPin: (pin: string) => Promise<AppErrorOf<PinCode> | undefined>
}

/** The levels that a manager set. `setAll` sets those that no policy fixes, and returns what was set before. */
export interface StationGates {
  read: () => GateLevels
  use: (levels: GateLevels) => ResultOf<null, NotSaved>
  setAll: (levels: Record<Gate, GateLevel>) => ResultOf<GateLevels, NotSaved>
}

/** A station without a PIN, with the usual levels. */
export const usualGateRules: GateRules = {
  levelOf: (gate) => usualGateLevels[gate],
  needsPin: () => false,
  checkPin: () => Promise.resolve(undefined),
}

export type Gates = ReturnType<typeof createGates>

/** Checks approvals: of changes of the regulator's view outside a normal sale, and of items sold against their verdict. */
export function createGates({ levelOf, needsPin, checkPin }: GateRules, approvers?: Approvers) {
  const hasPin = () => needsPin() || approvers?.are() === true
  const wantedOf = (level: GateLevel): GateLevel => (level === 'pin' && !hasPin() ? 'reason' : level)

  /** Why an approval is not enough; undefined if it is. */
  const objection = async (level: GateLevel, approval: Approval): Promise<AppErrorOf<TooLittle> | undefined> => {
    const wanted = wantedOf(level)
    if (wanted !== 'ask' && !approval.reason) return { code: 'gate/reason-missing' }
    if (wanted !== 'pin') return undefined
    if (approval.by && approvers) return approvers.approve(approval.by)
    return approval.pin ? checkPin(approval.pin) : { code: 'gate/pin-missing' }
  }

  /** The refusal of a change that no person confirmed. */
  const notAsked = (question: GateQuestion): AppErrorOf<'gate/not-asked'> => ({
    code: 'gate/not-asked',
    ...question,
    wants: wantedOf(levelOf(question.gate)),
  })

  return {
    objection,
    notAsked,
    /**
     * Runs a change once a person has permitted it, with the reason that it needed ('' if none was wanted). `question` is
     * null for a change that passes no gate: it runs without a reason, before anything else can happen. An approval of another
     * question is none (`gate/not-asked`): something changed while the person was asked.
     */
    async pass<Done extends Result<unknown, AppError>>(
      question: GateQuestion | null,
      approval: Approval | undefined,
      change: (because: string | undefined) => Done | Promise<Done>,
    ): Promise<Done | ResultOf<never, TooLittle | 'gate/not-asked'>> {
      if (question === null) return change(undefined)
      const level = levelOf(question.gate)
      if (!approval || (approval.asked && !isDeepStrictEqual(approval.asked, question))) return err(notAsked(question))
      const no = await objection(level, approval)
      return no ? err(no) : change(approval.reason ?? '')
    },
  }
}
