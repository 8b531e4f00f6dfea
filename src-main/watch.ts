import type { Warning } from '../src-shared/ipc/app-view'
import type { Clock, ServiceClock } from './clock'
import type { Sender } from './outbox/sender'
import type { Tokens } from './service-client/tokens'

export interface WatchParts {
  sender: Pick<Sender, 'longestOnWireMs'>
  tokens: Pick<Tokens, 'lackingSince'>
  serviceClock: Pick<ServiceClock, 'isWrong'>
  clock: Clock
}

/** In ms. Each request ends sooner, but an operation may take several, and then the store. */
const slow = 30_000
const stuck = 120_000
/** A token that is late this long, in ms, is not just late. */
const late = 30_000

/** What goes on longer than it should, in the order of its weight. */
export const createWatch =
  ({ sender, tokens, serviceClock, clock }: WatchParts) =>
  (): Warning[] => {
    const onWire = sender.longestOnWireMs() ?? 0
    const lackingSince = tokens.lackingSince() ?? clock.now()
    return [
      ...(onWire > stuck ? ['sending-stuck' as const] : []),
      ...(onWire > slow && onWire <= stuck ? ['report-slow' as const] : []),
      ...(clock.now() - lackingSince > late ? ['no-token' as const] : []),
      ...(serviceClock.isWrong() ? ['service-clock-wrong' as const] : []),
    ]
  }
