import { type CurrentImport, listImports } from '../imports/list'
import type { TokenBook } from '../http/tokens'
import type { Listener } from '../listener'
import type { Store } from '../store/query'
import { type AcceptedTransaction, listTransactions } from '../transactions/book'
import { type FaultBook, Faults, type FaultsInput } from './faults'
import type { RequestLog, SeenRequest } from './request-log'

/** The knobs of a practice service, for whoever runs it in the same process; `adminUrl` serves the same ones. */
export interface PracticeAdmin {
  /** Replaces all faults; what is left out is off. Resolves when they are in force. */
  setFaults(faults: FaultsInput): Promise<Faults>
  /** The faults in force, with the `times` that are left. */
  faults(): Faults
  /** From now on every token given out so far is answered 401. */
  expireTokens(): void
  transactions(): AcceptedTransaction[]
  imports(): CurrentImport[]
  /** The requests seen, the oldest first. */
  requests(): SeenRequest[]
}

interface Held {
  store: Store
  faults: FaultBook
  tokens: TokenBook
  log: RequestLog
  listener: Listener
}

export function createAdmin({ store, faults, tokens, log, listener }: Held): PracticeAdmin {
  return {
    async setFaults(input) {
      const next = Faults.parse(input)
      // Rules first: no request may slip through between coming online and failing as told.
      faults.replace(next)
      await (next.offline ? listener.pause() : listener.resume())
      return faults.current()
    },
    faults: () => faults.current(),
    expireTokens: () => {
      tokens.expireAll()
    },
    transactions: () => listTransactions(store),
    imports: () => listImports(store),
    requests: () => log.list(),
  }
}
