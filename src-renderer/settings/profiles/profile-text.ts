import type { AppStatus } from '../../../src-shared/ipc/contract/app'
import type { ConnectionStep } from '../../../src-shared/ipc/contract/station'
import type { ChipTone } from '../../ui/tones'
import { explain } from '../../text/errors'
import { span } from '../../text/moments'
import type { Text } from '../../text/text.svelte'

export const stepTones: Record<ConnectionStep['state'], ChipTone> = { passed: 'good', failed: 'bad', skipped: 'plain' }

/** Details of a step of the connection test: how long it took, why it failed, how wrong the clock is. */
export function stepTexts({ step, state, error, took, offset }: ConnectionStep): Text[] {
  const texts: Text[] = []
  if (took !== null && state !== 'skipped') texts.push({ key: 'profile-test.took', values: { took } })
  if (error) texts.push(explain(error).what, explain(error).next)
  if (step === 'clock' && offset !== null) {
    const seconds = Math.round(Math.abs(offset) / 1_000)
    if (offset === 0) texts.push({ key: 'profile-test.clock.same' })
    else texts.push({ key: `profile-test.clock.${offset > 0 ? 'behind' : 'ahead'}`, values: { seconds } })
    if (state === 'failed') texts.push({ key: 'profile-test.clock.wrong' })
  }
  return texts
}

/** How this computer's clock compares with the service's. No tone if there is nothing to look at. */
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
