import type { AppErrorOf, ResultOf } from '../../src-shared/errors'
import type { ProfileId } from '../../src-shared/ipc/contract/station'
import { type Result, err, ok } from '../../src-shared/result'
import type { App } from '../app/compose'
import type { Log } from '../core/log'
import { isOutOfFiles } from '../core/open-files'
import type { Events } from '../ipc/handlers'
import type { Profiles } from './profiles'

/** Why a profile couldn't be opened: the previous one stays in use. */
export type NotReopened = AppErrorOf<'profile/not-opened' | 'store/out-of-files'>

/** The core of the profile in use. It is closed and opened again when the profile changes. */
export class CoreInUse {
  readonly #profiles: Profiles
  readonly #events: Events
  readonly #open: (id: ProfileId) => Promise<App>
  readonly #onDeath: (cause: unknown) => void
  #app: App | undefined
  #isOpen = false
  /** The profile of the open core; during a change, still the previous one. */
  #opened: ProfileId
  #opening: Promise<unknown> = Promise.resolve()

  /** A log is closed with its core, so entries always go to the current core's log. */
  readonly log: Log = {
    info: (...entry) => {
      this.app.log.info(...entry)
    },
    warn: (...entry) => {
      this.app.log.warn(...entry)
    },
    error: (...entry) => {
      this.app.log.error(...entry)
    },
  }

  /**
   * `open` opens the core of a profile. `onDeath` is called if neither the new profile nor the previous one can be opened, so
   * that the station can't continue.
   */
  constructor(
    profiles: Profiles,
    events: Events,
    open: (id: ProfileId) => Promise<App>,
    onDeath: (cause: unknown) => void,
  ) {
    this.#profiles = profiles
    this.#events = events
    this.#open = open
    this.#onDeath = onDeath
    this.#opened = profiles.active()
  }

  /** The core that was opened last. */
  get app(): App {
    if (!this.#app) throw new Error('no core was opened yet')
    return this.#app
  }

  /** Undefined until the first one is open, while another one is opened, and after `closeAtOnce`. */
  get ifOpen(): App | undefined {
    return this.#isOpen ? this.#app : undefined
  }

  /** The first one. Throws AppStartError. */
  async open(): Promise<void> {
    await this.#openAs(this.#opened)
  }

  /**
   * Closes the open core and opens the profile now in use, after the reopenings before. `change` runs while nothing is open. Its
   * error is returned, and the core is opened anyway. If the profile can't be opened, the previous one, `before`, stays in use.
   */
  reopen<E>(before: ProfileId, change?: () => Result<unknown, E>): Promise<Result<null, NotReopened | E>> {
    const next = this.#opening.then(() => this.#reopen(before, change))
    this.#opening = next.catch(() => undefined)
    return next
  }

  /** Waits while a core is being opened or closed. Refuses a call that was made to a profile which isn't in use any more. */
  async settled(): Promise<AppErrorOf<'app/reopened'> | undefined> {
    const madeTo = this.#opened
    let waited: unknown
    // Another opening may begin while this one is awaited.
    do {
      waited = this.#opening
      await this.#opening
    } while (this.#opening !== waited)
    return this.#opened === madeTo ? undefined : { code: 'app/reopened' }
  }

  /** Resolves once no core is being opened or closed. */
  async opening(): Promise<void> {
    await this.#opening
  }

  closeAtOnce(): void {
    this.ifOpen?.closeAtOnce()
    this.#isOpen = false
  }

  async #openAs(id: ProfileId): Promise<void> {
    this.#app = await this.#open(id)
    this.#opened = id
    this.#isOpen = true
  }

  async #reopen<E>(before: ProfileId, change?: () => Result<unknown, E>): Promise<Result<null, NotReopened | E>> {
    // After a failed opening there is nothing to close. A failed close must not prevent opening the next profile.
    await this.ifOpen?.close().catch((cause: unknown) => {
      this.log.error('a profile could not be closed well', { cause })
    })
    this.#isOpen = false
    try {
      const changed = change?.()
      await this.#openAs(this.#profiles.active())
      return changed?.ok === false ? changed : ok(null)
    } catch (cause) {
      return await this.#goBack(before, cause)
    } finally {
      // With the same profile, the page's data is still valid.
      this.#events.emit('app.reopened', { isOther: this.#profiles.active() !== before })
    }
  }

  async #goBack(
    before: ProfileId,
    cause: unknown,
  ): Promise<ResultOf<null, 'profile/not-opened' | 'store/out-of-files'>> {
    const wanted = this.#profiles.active()
    // If the disk refuses this too, only the running process goes back to the previous profile.
    const kept = this.#profiles.use(before)
    await this.#openAs(before).catch((worse: unknown) => {
      this.#onDeath(worse)
      throw worse
    })
    this.log.error('a profile could not be opened', { wanted, isKept: kept.ok, cause })
    return err({ code: isOutOfFiles(cause) ? 'store/out-of-files' : 'profile/not-opened' })
  }
}
