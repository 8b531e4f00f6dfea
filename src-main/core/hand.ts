import { AsyncLocalStorage } from 'node:async_hooks'

/** A person as a line of the journal names them, which stays when they are renamed or removed. */
export interface Signer {
  id: string
  name: string
}

/** The person in whose name a call is made. `approver`: who permitted what it does, if that was another person. */
export interface Hand {
  readonly person: Signer | null
  approver: Signer | null
}

const current = new AsyncLocalStorage<Hand>()

/** Answers a call in the hand of who is signed in when it arrives, also after an `await`. */
export const inHandOf = <T>(person: Signer | null, answer: () => T): T =>
  current.run({ person, approver: null }, answer)

/** The hand of the current call; no one's outside of a call. */
export const hand = (): Readonly<Hand> => current.getStore() ?? { person: null, approver: null }

/** Another person has permitted what the current call does. */
export function approvedBy(approver: Signer): void {
  const call = current.getStore()
  if (call && call.person?.id !== approver.id) call.approver = approver
}
