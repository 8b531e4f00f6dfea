import type { Socket } from 'node:net'
import type { ConnectionView } from '../../src-shared/ipc/contract/app'

/** The kinds of report made while the service misbehaves. */
export const kinds = ['complete', 'void', 'return', 'import'] as const
export type Kind = (typeof kinds)[number]

/** The target of a request. */
export type Place = 'token' | 'reads' | 'reports'

/** A request as it arrived. */
export interface Asked {
  place: Place
  method: string
  path: string
  /** The request's token; empty for none. */
  token: string
  contentType: string
  body: Buffer
}

/** The real service's answer. */
export interface Real {
  status: number
  contentType: string
  body: Buffer
}

/** A request that gets an odd answer, byte by byte. */
export interface Visit {
  socket: Socket
  asked: Asked
  /** Undefined if the real service wasn't asked. */
  real: Real | undefined
  secrets: Secrets
}

/** Secrets that may occur in no file and in no answer. */
export interface Secrets {
  clientSecret: string
  customerId: string
}

/** Writes anything to the connection; a connection it leaves open stays open. */
export type Answer = (visit: Visit) => void | Promise<void>

/** How requests to one target are answered. */
export interface Part {
  at: Place
  /** Whether the real service gets the request first: a report is then taken, whatever the answer. */
  isTaken: boolean
  answer: Answer
  /** Continues after the service recovers: this is how this service works. */
  lasts?: boolean
  /** Only this many requests get the odd answer; later ones get the real answer. */
  times?: number
}

export const families = [
  'bodies',
  'statuses',
  'headers',
  'durations',
  'sizes',
  'framing',
  'tokens',
  'times',
  'tls',
  'reads',
  'paging',
  'pace',
] as const
type Family = (typeof families)[number]

/** One row of the table. */
export interface Misbehaviour {
  /** Unique. */
  name: string
  family: Family
  kind: Kind
  parts: Part[]
  /** Handles a connection before a byte is read; false passes it on. */
  onConnection?: (socket: Socket) => boolean
  /** What the service presents on its TLS port; the row then runs against a service behind TLS. */
  certificate?: 'self-signed' | 'other-name' | 'plain HTTP'
  /** The bar must show one of these connection states while the service misbehaves. */
  shows?: ConnectionView['state'][]
  /** The service named a time to come back, so a person presses "Send now" after the service recovers. */
  sendsNow?: boolean
  /** Also reads cases, packages, names and entities meanwhile. */
  looksUp?: boolean
  /** This many other sales as well: eight reports fill the lanes. */
  crowd?: number
  /** How long the service continues to misbehave after every step was tried once, in ms. */
  goesOnFor?: number
  /** Another sale is settled so long after the service recovers, in ms. Default: 15 s. */
  recoversIn?: number
  /** The maximum number of requests to a target while the service misbehaves. */
  atMost?: Partial<Record<Place, number>>
  /** Takes as long as a request may last, or longer. */
  isSlow?: boolean
}

/** A row for each kind of report, and for both cases: the service took the report, or not. */
export function ofReports(
  row: Omit<Misbehaviour, 'kind' | 'parts'>,
  answer: Answer,
  { only = kinds, truths = [true, false] }: { only?: readonly Kind[]; truths?: readonly boolean[] } = {},
): Misbehaviour[] {
  return only.flatMap((kind) =>
    truths.map((isTaken) => ({
      ...row,
      name: `${row.name}, ${kind}, ${isTaken ? 'taken' : 'not taken'}`,
      kind,
      parts: [{ at: 'reports' as const, isTaken, answer }],
    })),
  )
}

/** A row about one target, whatever is reported: all its requests get this answer. */
export function ofPlace(
  row: Omit<Misbehaviour, 'kind' | 'parts'>,
  at: Place,
  answer: Answer,
  isTaken = true,
): Misbehaviour {
  return { ...row, name: `${row.name}, ${at}`, kind: 'complete', parts: [{ at, isTaken, answer }] }
}
