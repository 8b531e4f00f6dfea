import { EventEmitter } from 'node:events'
import { preventable } from './event'

/** `powerMonitor`: what the computer does. */
export class FakePowerMonitor extends EventEmitter {
  /** Knob: it wakes up. */
  wakeUp(): void {
    this.emit('resume')
  }

  /** Knob, Linux and macOS: it is about to shut down, or the person logs out. Whether the app asked for time. */
  shutDown(): boolean {
    const event = preventable({})
    this.emit('shutdown', event)
    return event.defaultPrevented
  }
}
