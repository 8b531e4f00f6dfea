import type { AppError } from '../../src-shared/errors'
import { Gate, type GateLevel, type GateLevels, usualGateLevels } from '../../src-shared/gates'
import type { CallName } from '../../src-shared/ipc/contract'
import type { GatesView, SecurityView } from '../../src-shared/ipc/contract/station'
import { type Result, err, ok } from '../../src-shared/result'
import type { Clock } from '../core/clock'
import type { StationFile } from '../station/station-file'
import type { PolicyLock } from '../policy/policy'
import { saved } from '../database/saved'
import type { GateRules } from './gates'
import { guarded } from './guarded'
import { type KeptPin, hashPin, isPin } from './pin'

/** Tries without a wait; each later one doubles the wait, which is in ms. */
const freeTries = 3
const firstWait = 5_000
const longestWait = 300_000
const minute = 60_000

const waitAfter = (failures: number) =>
  failures < freeTries ? 0 : Math.min(firstWait * 2 ** (failures - freeTries), longestWait)

/**
 * Locks settings, exports and dismissing refused reports behind the manager's PIN. Scanning, selling and receiving are
 * never locked. Without a PIN, nothing is locked.
 */
export function createLock(parts: {
  file: StationFile
  kept: KeptPin
  /** IT's policy, which takes precedence over the station's settings. */
  policy?: PolicyLock | undefined
  clock: Clock
  /** Monotonic clock, in ms, for the wait between guesses. */
  sinceStart?: () => number
  announce: (view: SecurityView) => void
  announceGates?: (view: GatesView) => void
}) {
  const { file, kept, policy = {}, clock, sinceStart = () => performance.now(), announce } = parts
  const { announceGates = () => undefined } = parts
  const isPinRequired = policy.isPinRequired === true
  const settings = () => file.read().security
  let isUnlocked = false
  let lastUse = 0
  // Wrong tries still count after a restart.
  let failures = settings().wrongTries
  let nextTryAt = sinceStart() + waitAfter(failures)
  let timer: NodeJS.Timeout | undefined

  const storedPin = () => kept.read() ?? settings().pin
  const isLocked = () => storedPin() !== null && !isUnlocked
  const autoLockMinutes = () => policy.afterMinutes ?? settings().autoLockMinutes
  const view = (): SecurityView => {
    return {
      hasPin: storedPin() !== null,
      isLocked: isLocked(),
      autoLockMinutes: autoLockMinutes(),
      isAutoLockFixed: policy.afterMinutes !== undefined,
      isPinRequired,
    }
  }
  const levelOf = (gate: Gate) => policy.gates?.[gate] ?? settings().gates[gate] ?? usualGateLevels[gate]
  const gatesView = (): GatesView => {
    const levels = { ...usualGateLevels }
    for (const gate of Gate.options) levels[gate] = levelOf(gate)
    return { levels, fixed: Gate.options.filter((gate) => policy.gates?.[gate] !== undefined) }
  }
  const lock = () => {
    clearTimeout(timer)
    isUnlocked = false
    announce(view())
    return view()
  }
  /** Uses the clock as well as the timer, so that a computer that slept wakes up locked. */
  const lockWhenIdle = () => {
    clearTimeout(timer)
    const idleFor = clock.now() - lastUse
    const left = autoLockMinutes() * minute - idleFor
    if (left <= 0 || idleFor < 0) lock()
    else timer = setTimeout(lockWhenIdle, Math.min(left, minute)).unref()
  }
  const used = () => {
    lastUse = clock.now()
    if (isUnlocked) lockWhenIdle()
  }
  /** If the disk refuses, the tries count only until the next start. */
  const keepTries = () => {
    if (settings().wrongTries === failures) return
    saved(() => {
      file.change((before) => ({ ...before, security: { ...before.security, wrongTries: failures } }))
      return ok(null)
    })
  }
  const change = (security: Partial<ReturnType<typeof settings>>): Result<SecurityView, AppError> =>
    saved(() => {
      file.change((before) => ({ ...before, security: { ...before.security, ...security } }))
      // The person who just set the PIN knows it.
      isUnlocked = true
      used()
      announce(view())
      return ok(view())
    })

  /** Why a PIN is not taken: security/no-pin, security/wrong-pin (with the wait before the next try). */
  const tryPin = async (pin: string): Promise<AppError | undefined> => {
    const stored = storedPin()
    if (!stored) return { code: 'security/no-pin' }
    const waitMs = Math.ceil(nextTryAt - sinceStart())
    if (waitMs > 0) return { code: 'security/wrong-pin', waitMs }
    failures++
    const wait = waitAfter(failures)
    // Set before the check, so that simultaneous tries count as one.
    nextTryAt = sinceStart() + Math.max(wait, 500)
    keepTries()
    if (!(await isPin(pin, stored))) return { code: 'security/wrong-pin', waitMs: wait }
    failures = 0
    nextTryAt = 0
    keepTries()
    return undefined
  }

  return {
    view,
    /** For the gates. A PIN that is checked unlocks nothing. */
    gateRules: {
      levelOf,
      needsPin: () => isPinRequired || storedPin() !== null,
      checkPin: tryPin,
    } satisfies GateRules,
    gates: gatesView,
    /** What a manager set, for a store whose stations share it. */
    gateLevels: (): GateLevels => settings().gates,
    /** Uses what was set at another station. What the company's policy sets stays. Errors: store/not-saved. */
    useGateLevels: (gates: GateLevels): Result<null, AppError> =>
      saved(() => {
        file.change((before) => ({ ...before, security: { ...before.security, gates } }))
        announceGates(gatesView())
        return ok(null)
      }),
    /** Errors: policy/fixed, store/not-saved. Guarded. */
    setGate(gate: Gate, level: GateLevel): Result<GatesView, AppError> {
      if (policy.gates?.[gate] !== undefined) return err({ code: 'policy/fixed' })
      return saved(() => {
        file.change((before) => ({
          ...before,
          security: { ...before.security, gates: { ...before.security.gates, [gate]: level } },
        }))
        announceGates(gatesView())
        return ok(gatesView())
      })
    },
    /** Errors: security/no-pin, security/wrong-pin (with the wait before the next try). */
    async unlock(pin: string): Promise<Result<SecurityView, AppError>> {
      const no = await tryPin(pin)
      if (no) return err(no)
      isUnlocked = true
      used()
      announce(view())
      return ok(view())
    },
    lock,
    /** Errors: security/locked, policy/fixed, store/not-saved, those of `KeptPin.write`. */
    async setPin(pin: string | null): Promise<Result<SecurityView, AppError>> {
      if (isLocked()) return err({ code: 'security/locked' })
      if (pin === null && isPinRequired) return err({ code: 'policy/fixed' })
      const next = pin === null ? null : await hashPin(pin)
      // The station may have locked itself in the meantime.
      if (isLocked()) return err({ code: 'security/locked' })
      const before = kept.read()
      const written = await kept.write(next)
      if (!written.ok) return written
      const done = change({ pin: next })
      if (!done.ok) await kept.write(before)
      return done
    },
    /** Errors: security/locked, policy/fixed, store/not-saved. */
    setAutoLock(autoLockMinutes: number): Result<SecurityView, AppError> {
      if (isLocked()) return err({ code: 'security/locked' })
      return policy.afterMinutes === undefined ? change({ autoLockMinutes }) : err({ code: 'policy/fixed' })
    },
    /**
     * security/locked or -pin-required for a guarded call. A guarded call that is allowed restarts the time until
     * locking.
     */
    objection(call: CallName): AppError | undefined {
      if (!guarded.has(call)) return undefined
      if (isPinRequired && storedPin() === null) return { code: 'security/pin-required' }
      if (isUnlocked) lockWhenIdle()
      if (isLocked()) return { code: 'security/locked' }
      used()
      return undefined
    },
    close: () => {
      clearTimeout(timer)
    },
  }
}

export type Lock = ReturnType<typeof createLock>
