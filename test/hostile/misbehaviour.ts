import type { Socket } from 'node:net'
import type { ConnectionView } from '../../src-shared/ipc/contract/app'

/** What is reported while the service misbehaves. */
export const kinds = ['complete', 'void', 'return', 'import'] as const
export type Kind = (typeof kinds)[number]

/** Where a request goes. */
export type Place = 'token' | 'reads' | 'reports'

/** A request as it came. */
export interface Asked {
  place: Place
  method: string
  path: string
  /** The token that came with it; empty for none. */
  token: string
  contentType: string
  body: Buffer
}

/** What the real service answered. */
export interface Real {
  status: number
  contentType: string
  body: Buffer
}

/** A request that is answered oddly, byte by byte. */
export interface Visit {
  socket: Socket
  asked: Asked
  /** Undefined when the real service was not asked. */
  real: Real | undefined
  secrets: Secrets
}

/** What may stand in no file and in no answer. */
export interface Secrets {
  clientSecret: string
  customerId: string
}

/** Writes whatever it likes to the connection; what it leaves open stays open. */
export type Answer = (visit: Visit) => void | Promise<void>

/** How requests to one place are answered. */
export interface Part {
  at: Place
  /** Whether the real service is asked first: a report is then taken, whatever is answered. */
  isTaken: boolean
  answer: Answer
  /** Goes on after the service is well again: this is how this service is. */
  lasts?: boolean
  /** Only this many requests; the others are answered well. */
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
export type Family = (typeof families)[number]

/** One row of the table. */
export interface Misbehaviour {
  /** Unique. */
  name: string
  family: Family
  kind: Kind
  parts: Part[]
  /** Takes a connection before a byte is read; false lets it pass. */
  onConnection?: (socket: Socket) => boolean
  /** What the service shows behind TLS; the row then runs against a service behind TLS. */
  certificate?: 'self-signed' | 'other-name' | 'plain HTTP'
  /** One of these is the state of the connection that the bar must come to while the service misbehaves. */
  shows?: ConnectionView['state'][]
  /** The service said when to come back: a person says "Send now" once it is well again. */
  sendsNow?: boolean
  /** Also asks for cases, packages, names and things meanwhile. */
  looksUp?: boolean
  /** So many other sales besides: eight reports fill the lanes. */
  crowd?: number
  /** How long the service goes on misbehaving after all was tried once, in ms. */
  goesOnFor?: number
  /** No more requests than these come to a place while it misbehaves. */
  atMost?: Partial<Record<Place, number>>
  /** Takes as long as a request may last, or longer. */
  isSlow?: boolean
}

/** A row for each kind of report, and for both truths: the service took it, or not. */
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

/** A row that is about one place, whatever is reported: its requests are all answered so. */
export function ofPlace(
  row: Omit<Misbehaviour, 'kind' | 'parts'>,
  at: Place,
  answer: Answer,
  isTaken = true,
): Misbehaviour {
  return { ...row, name: `${row.name}, ${at}`, kind: 'complete', parts: [{ at, isTaken, answer }] }
}
