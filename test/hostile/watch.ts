import type { CallInput, CallName, CallOutput } from '../../src-shared/ipc/contract'
import type { Complaint, Report } from './judge'
import { account } from './shop'
import type { Stand } from './stand'

/** Collects the complaints about a row, and checks every answer of the station. */
export interface Watch {
  complain: (kind: Complaint['kind'], text: string) => void
  add: (complaints: readonly Complaint[]) => void
  /** The same for one report: complaints about another sale are marked as such. */
  addOf: (report: Report, complaints: readonly Complaint[]) => void
  /** A call that every screen makes: an error in it is a complaint. */
  must: <Name extends CallName>(name: Name, input: CallInput<Name>) => Promise<CallOutput<Name> | undefined>
  /** Secrets that may occur in no file and in no answer, by name. */
  secrets: () => Map<string, string>
  /** Each complaint once. Stops checking answers. */
  end: () => Complaint[]
}

interface WatchParts {
  stand: Stand
  /** The row's own order number; the other sale's number begins with it. */
  orderId: string
  customerId: string
}

/** Limit for answers from local data, in ms: the station shares its processors with other stations. */
const promptly = 10_000
/** Limit for continuous work of the main process, in ms. */
const longestTurn = 1_000
const ofItself = /^(app|outbox|checkout)\./
/** Limit for the length of an answer, in characters. */
const longestAnswer = 1_000_000
/** The call that shows a customer to the person at the counter. */
const showsCustomer = new Set(['checkout.cart'])

export function createWatch({ stand: { child, service }, orderId, customerId }: WatchParts): Watch {
  const complaints = new Map<string, Complaint>()
  let isOver = false

  const complain = (kind: Complaint['kind'], text: string) => {
    complaints.set(`${kind} ${text}`, { kind, text })
  }
  const secrets = () =>
    new Map([
      ['the client secret', account.clientSecret],
      ['the customer', customerId],
      ...[...service.tokens].map((token, n) => [n === 0 ? 'a token' : `a token (${n + 1})`, token] as const),
    ])

  child.onAnswer(({ call, text, ms, turn }) => {
    if (isOver) return
    if (text === '') complain('slow', `${call} was never answered`)
    else if (ms > promptly && ofItself.test(call)) complain('slow', `${call} took ${(ms / 1_000).toFixed(1)} s`)
    if (turn > longestTurn) complain('slow', `main did nothing else for ${(turn / 1_000).toFixed(1)} s`)
    if (text.length > longestAnswer) complain('unbounded', `the answer of ${call} has ${text.length} characters`)
    for (const [name, secret] of secrets()) {
      const isShown = secret === customerId && showsCustomer.has(call)
      if (!isShown && text.includes(secret)) complain('secret', `${name} is in the answer of ${call}`)
    }
  })

  return {
    complain,
    add(all) {
      for (const { kind, text } of all) complain(kind, text)
    },
    addOf({ subject }, all) {
      const besides = subject.startsWith(`${orderId}-`) ? `sale ${subject.slice(orderId.length + 1)}: ` : ''
      for (const { kind, text } of all) complain(kind, besides + text)
    },
    async must(name, input) {
      const answer = await child.client.call(name, input)
      if (answer.ok) return answer.value
      complain('error', `${name} failed: ${answer.error.code}`)
      return undefined
    },
    secrets,
    end() {
      isOver = true
      return [...complaints.values()]
    },
  }
}
