import type { AppError } from '../../src-shared/errors'
import type { SectionName } from '../settings/pages.svelte'
import type { ScreenName } from '../shell/screens'
import { type ScanOutcome, type StripAction, refusal } from './strip.svelte'

/** What a scan says that means nothing on the screen in front, with the step to the one where it does. */

/** The screen in front, and the way to another. */
export interface Screens {
  screen: () => ScreenName
  go: (screen: ScreenName, section?: SectionName) => void
}

export const goToCheckout = ({ screen, go }: Screens): StripAction => ({
  label: { key: 'action.go-to-checkout' },
  run: () => go('checkout'),
  isOffered: () => screen() !== 'checkout',
})

export function belongsInCheckout(screens: Screens): ScanOutcome {
  const error: AppError = { code: 'scan/wrong-place', found: 'tag', expected: 'case' }
  return refusal(error, [goToCheckout(screens)], 'attention')
}

export function belongsInSettings({ screen, go }: Screens): ScanOutcome {
  const open: StripAction = {
    label: { key: 'action.open-settings' },
    run: () => go('settings', 'store'),
    isOffered: () => screen() !== 'settings',
  }
  return {
    tone: 'attention',
    what: { key: 'label.join-code' },
    detail: { key: 'scan.join.elsewhere' },
    actions: [open],
  }
}
