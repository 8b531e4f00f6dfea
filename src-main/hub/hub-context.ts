import type { RoomContext } from '../core/context'
import type { Settings } from '../database/settings'
import type { Hub } from './port'

/** What a station works with in its store. */
export interface HubContext extends RoomContext {
  hub: Hub
  settings: Settings
}
