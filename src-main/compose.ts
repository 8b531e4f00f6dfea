import type { Handlers } from './ipc/handlers'
import type { Events } from './ipc/events'
import type { Log } from './log'

/** What a host gives the app. */
export interface Surroundings {
  /** Folder of this station's data; made when it is missing. */
  dataDir: string
  /** Folder with practice data and icons. */
  resourcesDir: string
  version: string
}

/** What a host gets: answers, announcements, and the one way to end it all. */
export interface App {
  handlers: Handlers
  events: Events
  log: Log
  /** Stops sending, closes the store. Resolves once everything is on disk. */
  close(): Promise<void>
}
