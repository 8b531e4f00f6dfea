import { plainHostOf } from '../../src-shared/hub-address'
import { t } from './text.svelte'

/** An address; one that isn't in ASCII with the host that is looked up, which letters of other scripts can imitate. */
export function shownAddress(address: string): string {
  const host = plainHostOf(address)
  return host === null ? address : t('address.with-host', { address, host })
}
