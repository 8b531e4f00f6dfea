import type { AppError, AppErrorOf, ResultOf } from '../../src-shared/errors'
import { Gate, type GateLevel, type GateLevels, usualGateLevels } from '../../src-shared/gates'
import type { CallName } from '../../src-shared/ipc/contract'
import type { GatesView, SecurityView } from '../../src-shared/ipc/contract/station'
import { err, ok } from '../../src-shared/result'
import type { KeychainCode } from '../credentials/keychain'
import type { Clock } from '../core/clock'
import type { StationFile, StationSettings } from '../station/station-file'
import type { PolicyLock } from '../policy/policy'
import { type NotSaved, saved } from '../database/saved'
import type { GateRules, PinCode } from './gates'
import { guarded, openToLeads } from './guarded'
import { TryPace } from './pace'
import { type KeptPin, hashPin, isPin } from './pin'

const minute = 60_000

/** Whether the store has managers who can sign in, and whether one is signed in here, or at least a lead. */
export interface Managers {
  are: boolean
  isIn: boolean
  isLeadIn: boolean
}

export const noManagers: Managers = { are: false, isIn: false, isLeadIn: false }

/**
 * Locks settings, exports and dismissing refused reports behind the manager's PIN, or a manager who is signed in. Scanning, selling and receiving are
 * never locked. Without a PIN and managers, nothing is locked.
 */
export class Lock {
  readonly #file: StationFile
  readonly #kept: KeptPin
  readonly #policy: PolicyLock
  readonly #clock: Clock
  readonly #announce: (view: SecurityView) => void
  readonly #announceGates: (view: GatesView) => void
  readonly #isPinRequired: boolean
  readonly #managers: () => Managers
  #isUnlocked = false
  #lastUse = 0
  readonly #pace: TryPace
  #timer: NodeJS.Timeout | undefined
  /** For the gates. A PIN that is checked unlocks nothing. */
  readonly gateRules: {
    levelOf: (gate: Gate) => 'reason' | 'pin' | 'ask'
    needsPin: () => boolean
    checkPin: (pin: string) => Promise<AppErrorOf<PinCode> | undefined>
  }

  constructor(parts: {
    file: StationFile
    kept: KeptPin
    /** IT's policy, which takes precedence over the station's settings. */
    policy?: PolicyLock | undefined
    clock: Clock
    /** Monotonic clock, in ms, for the wait between guesses. */
    sinceStart?: () => number
    announce: (view: SecurityView) => void
    announceGates?: (view: GatesView) => void
    /** The managers among the people of the store; none if omitted. */
    managers?: () => Managers
  }) {
    const { file, kept, policy = {}, clock, sinceStart = () => performance.now(), announce } = parts
    this.#file = file
    this.#kept = kept
    this.#policy = policy
    this.#clock = clock
    this.#announce = announce
    const { announceGates = () => undefined } = parts
    this.#announceGates = announceGates
    this.#managers = parts.managers ?? (() => noManagers)
    this.#isPinRequired = this.#policy.isPinRequired === true
    this.#pace = new TryPace(this.#settings().wrongTries, sinceStart)
    this.gateRules = {
      levelOf: (gate) => this.#levelOf(gate),
      needsPin: () => this.#isPinRequired || this.#storedPin() !== null,
      checkPin: (pin) => this.#tryPin(pin),
    } satisfies GateRules
  }

  view(): SecurityView {
    return {
      hasPin: this.#storedPin() !== null,
      isLocked: this.#isLocked(),
      autoLockMinutes: this.#autoLockMinutes(),
      isAutoLockFixed: this.#policy.afterMinutes !== undefined,
      isPinRequired: this.#isPinRequired,
    }
  }

  gates(): GatesView {
    const levels = { ...usualGateLevels }
    for (const gate of Gate.options) levels[gate] = this.#levelOf(gate)
    return { levels, fixed: Gate.options.filter((gate) => this.#policy.gates?.[gate] !== undefined) }
  }

  lock() {
    clearTimeout(this.#timer)
    this.#isUnlocked = false
    this.#announce(this.view())
    return this.view()
  }

  /** What a manager set, for a store whose stations share it. */
  gateLevels(): GateLevels {
    return this.#settings().gates
  }

  /** Uses what was set at another station. What the company's policy sets stays. */
  useGateLevels(gates: GateLevels): ResultOf<null, NotSaved> {
    return saved(() => {
      this.#file.change((before) => ({ ...before, security: { ...before.security, gates } }))
      this.#announceGates(this.gates())
      return ok(null)
    })
  }

  /** Sets all gates but those that the company's policy sets. Returns what was set before, to be used again. */
  setGates(levels: Record<Gate, GateLevel>): ResultOf<GateLevels, NotSaved> {
    const before = this.gateLevels()
    const next = { ...before }
    for (const gate of Gate.options) if (this.#policy.gates?.[gate] === undefined) next[gate] = levels[gate]
    const used = this.useGateLevels(next)
    return used.ok ? ok(before) : used
  }

  /** Guarded. */
  setGate(gate: Gate, level: GateLevel): ResultOf<GatesView, NotSaved | 'policy/fixed'> {
    if (this.#policy.gates?.[gate] !== undefined) return err({ code: 'policy/fixed' })
    return saved(() => {
      this.#file.change((before) => ({
        ...before,
        security: { ...before.security, gates: { ...before.security.gates, [gate]: level } },
      }))
      this.#announceGates(this.gates())
      return ok(this.gates())
    })
  }

  async unlock(pin: string): Promise<ResultOf<SecurityView, 'security/no-pin' | 'security/wrong-pin'>> {
    const no = await this.#tryPin(pin)
    if (no) return err(no)
    this.#isUnlocked = true
    this.#used()
    this.#announce(this.view())
    return ok(this.view())
  }

  async setPin(
    pin: string | null,
  ): Promise<ResultOf<SecurityView, NotSaved | KeychainCode | 'policy/fixed' | 'security/locked'>> {
    if (this.#isLocked()) return err({ code: 'security/locked' })
    if (pin === null && this.#isPinRequired) return err({ code: 'policy/fixed' })
    const next = pin === null ? null : await hashPin(pin)
    // The station may have locked itself in the meantime.
    if (this.#isLocked()) return err({ code: 'security/locked' })
    const before = this.#kept.read()
    const written = await this.#kept.write(next)
    if (!written.ok) return written
    const done = this.#change({ pin: next })
    if (!done.ok) await this.#kept.write(before)
    return done
  }

  setAutoLock(autoLockMinutes: number): ResultOf<SecurityView, NotSaved | 'policy/fixed' | 'security/locked'> {
    if (this.#isLocked()) return err({ code: 'security/locked' })
    return this.#policy.afterMinutes === undefined ? this.#change({ autoLockMinutes }) : err({ code: 'policy/fixed' })
  }

  /**
   * security/locked or -pin-required for a guarded call. A guarded call that is allowed restarts the time until
   * locking.
   */
  objection(call: CallName): AppError | undefined {
    if (!guarded.has(call)) return undefined
    const { are, isIn, isLeadIn } = this.#managers()
    if (this.#isPinRequired && this.#storedPin() === null && !are && !isIn) return { code: 'security/pin-required' }
    if (this.#isUnlocked) this.#lockWhenIdle()
    if (this.#isLocked() && !(isLeadIn && openToLeads.has(call))) return { code: 'security/locked' }
    this.#used()
    return undefined
  }

  /** Tells pages: a manager may have signed in or out. */
  peopleChanged() {
    this.#announce(this.view())
  }

  close() {
    clearTimeout(this.#timer)
  }

  #settings() {
    return this.#file.read().security
  }

  #storedPin() {
    return this.#kept.read() ?? this.#settings().pin
  }

  /** A manager who is signed in has everything open, and is signed out after a while without a step. */
  #isLocked() {
    const { are, isIn } = this.#managers()
    return (are || this.#storedPin() !== null) && !this.#isUnlocked && !isIn
  }

  #autoLockMinutes() {
    return this.#policy.afterMinutes ?? this.#settings().autoLockMinutes
  }

  #levelOf(gate: Gate) {
    return this.#policy.gates?.[gate] ?? this.#settings().gates[gate] ?? usualGateLevels[gate]
  }

  /** Uses the clock as well as the timer, so that a computer that slept wakes up locked. */
  #lockWhenIdle() {
    clearTimeout(this.#timer)
    const idleFor = this.#clock.now() - this.#lastUse
    const left = this.#autoLockMinutes() * minute - idleFor
    if (left <= 0 || idleFor < 0) this.lock()
    else this.#timer = setTimeout(() => this.#lockWhenIdle(), Math.min(left, minute)).unref()
  }

  #used() {
    this.#lastUse = this.#clock.now()
    if (this.#isUnlocked) this.#lockWhenIdle()
  }

  /** If the disk refuses, the tries count only until the next start. */
  #keepTries() {
    const wrongTries = this.#pace.failures
    if (this.#settings().wrongTries === wrongTries) return
    saved(() => {
      this.#file.change((before) => ({ ...before, security: { ...before.security, wrongTries } }))
      return ok(null)
    })
  }

  #change(security: Partial<StationSettings['security']>): ResultOf<SecurityView, NotSaved> {
    return saved(() => {
      this.#file.change((before) => ({ ...before, security: { ...before.security, ...security } }))
      // The person who just set the PIN knows it.
      this.#isUnlocked = true
      this.#used()
      this.#announce(this.view())
      return ok(this.view())
    })
  }

  /** Why a PIN is not taken. */
  async #tryPin(pin: string): Promise<AppErrorOf<PinCode> | undefined> {
    const stored = this.#storedPin()
    if (!stored) return { code: 'security/no-pin' }
    const waitMs = this.#pace.waitMs()
    if (waitMs > 0) return { code: 'security/wrong-pin', waitMs }
    // Before the check, so that simultaneous tries count as one.
    const wait = this.#pace.begin()
    this.#keepTries()
    if (!(await isPin(pin, stored))) return { code: 'security/wrong-pin', waitMs: wait }
    this.#pace.right()
    this.#keepTries()
    return undefined
  }
}
