import { EventEmitter } from 'node:events'
import { preventable } from './event'

/** `powerMonitor`: the power events of the computer. */
export class FakePowerMonitor extends EventEmitter {
  /** Knob: the computer wakes up. */
  wakeUp(): void {
    this.emit('resume')
  }

  /**
   * Knob, Linux and macOS: the computer is about to shut down, or the person logs out. Returns whether the app asked
   * for time.
   */
  shutDown(): boolean {
    const event = preventable({})
    this.emit('shutdown', event)
    return event.defaultPrevented
  }
}
