import type { ConnectionView } from '../../src-shared/ipc/app-view'
import { assertNever } from '../../src-shared/result'
import { type Clock, iso } from '../clock'
import type { Reply } from './reply'

type State = ConnectionView['state']

/** Connectivity as the requests show it; what the operating system believes does not matter. */
export interface Connection {
  view(): ConnectionView
  note(reply: Reply): void
}

export interface ConnectionParts {
  clock: Clock
  /** Called when the state changes, with the state before. */
  onChange: (now: State, before: State) => void
}

export function createConnection({ clock, onChange }: ConnectionParts): Connection {
  let state: State = 'unknown'
  let since = clock.now()
  return {
    view: () => ({ state, since: iso(since) }),
    note(reply) {
      const next = stateShownBy(reply)
      if (next === undefined || next === state) return
      const before = state
      state = next
      since = clock.now()
      onChange(next, before)
    },
  }
}

/** What one reply tells of the connection; undefined when it tells nothing. */
function stateShownBy(reply: Reply): State | undefined {
  switch (reply.kind) {
    case 'no-answer':
      return 'unreachable'
    case 'not-asked':
      return stateOfError(reply.error.code)
    case 'answer':
      if (reply.status === 401) return 'credentials-refused'
      // A page where JSON was due comes from something between us and the service.
      return reply.status >= 500 || reply.body.kind === 'page' ? 'failing' : 'online'
    default:
      return assertNever(reply)
  }
}

/** Why a token could not be had. */
function stateOfError(code: string): State | undefined {
  if (code === 'service/unreachable') return 'unreachable'
  if (code === 'service/credentials-refused' || code === 'service/credentials-missing') return 'credentials-refused'
  if (code === 'service/failing' || code === 'service/busy' || code === 'service/unreadable') return 'failing'
  return undefined
}
