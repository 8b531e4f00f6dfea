import type { AppStatus } from '../../src-shared/ipc/app-view'
import type { ChipTone } from '../design/tones'
import { span } from '../messages/moments'
import type { Text } from '../messages/text.svelte'

/** What the service's answers say of this computer's clock. Without a tone, there is nothing to look at. */
export function clockText({ clockOffset, connection, warnings }: AppStatus): { tone: ChipTone | null; text: Text } {
  if (warnings.includes('service-clock-wrong')) return { tone: 'attention', text: { key: 'settings.clock.unusable' } }
  if (clockOffset === 0) {
    // Nothing was measured before the first answer.
    const isMeasured = connection.state !== 'unknown'
    return { tone: null, text: { key: isMeasured ? 'settings.clock.same' : 'settings.clock.unknown' } }
  }
  return {
    tone: warnings.includes('clock-off') ? 'attention' : null,
    text: {
      key: clockOffset > 0 ? 'settings.clock.behind' : 'settings.clock.ahead',
      values: { span: span(clockOffset) },
    },
  }
}
