import type { ConnectionView } from '../../src-shared/ipc/app-view'
import type { ChipTone } from '../design/tones'

/** How a state of the connection is coloured; `connection.<state>` is its word. */
export const connectionTones: Record<ConnectionView['state'], ChipTone> = {
  unknown: 'plain',
  online: 'good',
  unreachable: 'attention',
  failing: 'attention',
  'credentials-refused': 'bad',
  'credentials-missing': 'bad',
}
