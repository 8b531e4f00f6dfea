import type { ConnectionStep } from '../../../src-shared/ipc/connection-view'
import type { ChipTone } from '../../design/tones'
import { explain } from '../../messages/errors'
import type { Text } from '../../messages/text.svelte'

export const stepTones: Record<ConnectionStep['state'], ChipTone> = { passed: 'good', failed: 'bad', skipped: 'plain' }

/** What there is to say of a step besides its verdict: why it failed, how long it took, how wrong the clock is. */
export function stepTexts({ step, state, error, took, offset }: ConnectionStep): Text[] {
  const texts: Text[] = []
  if (took !== null && state !== 'skipped') texts.push({ key: 'connection-test.took', values: { took } })
  if (error) texts.push(explain(error).what, explain(error).next)
  if (step === 'clock' && offset !== null) {
    const seconds = Math.round(Math.abs(offset) / 1_000)
    if (offset === 0) texts.push({ key: 'connection-test.clock.same' })
    else texts.push({ key: `connection-test.clock.${offset > 0 ? 'behind' : 'ahead'}`, values: { seconds } })
    if (state === 'failed') texts.push({ key: 'connection-test.clock.wrong' })
  }
  return texts
}
