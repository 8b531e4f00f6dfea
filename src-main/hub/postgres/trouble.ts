import { z } from 'zod'
import type { HubTrouble } from '../../../src-shared/ipc/contract/hub'
import { knownName } from '../../../src-shared/names'
import { isOutOfFiles } from '../../core/open-files'

/** A reason found by looking, not by an error of the server. */
export class HubProblem extends Error {
  constructor(readonly trouble: HubTrouble) {
    super(trouble)
  }
}

const Coded = z.object({ code: z.string() })
export const codeOf = (cause: unknown): string => Coded.safeParse(cause).data?.code ?? ''
const wordsOf = (cause: unknown) => (cause instanceof Error ? cause.message : '')
export const messageOf = (cause: unknown): string => `${codeOf(cause)} ${wordsOf(cause)}`.trim()

const longestAnswer = 300

/**
 * What the server, a pooler or the system answered, for the person who manages the database: on one line, with its code. Null if the
 * trouble was found by looking, or if nothing was answered.
 */
export function answerOf(cause: unknown): string | null {
  if (cause instanceof HubProblem) return null
  const message = messageOf(cause).replaceAll(/\s+/g, ' ')
  return message === '' ? null : knownName(message, longestAnswer)
}

type Told = readonly [code: RegExp, words: RegExp, trouble: HubTrouble]
const any = /(?:)/

/**
 * What errors say about the hub; the first that fits counts. Codes:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html. PgBouncer answers most of its own refusals with 08P01.
 */
const told: readonly Told[] = [
  [/^28000$/, /pg_hba\.conf/, 'not-allowed'],
  [/^28/, any, 'password'],
  [/^08P01$/, /no such database/i, 'no-database'],
  [/^08P01$/, /no such user|authentication failed|auth failed/i, 'password'],
  [/^08P01$/, /no more connections|too many/i, 'too-many'],
  [/^08P01$/, /SSL required/i, 'not-allowed'],
  [/^08P01$/, /startup parameter|pooler|bouncer|server login|connect to server|query_wait_timeout/i, 'pooler'],
  [/^08P01$/, any, 'other'],
  // A prepared statement that another session has, or has not: a pooler changed the session.
  [/^(26000|42P05)$/, any, 'pooler'],
  [/^42501$/, any, 'rights'],
  [/^25006$/, any, 'read-only'],
  [/^(3D000|57P04)$/, any, 'no-database'],
  [/^(3F000|42P01)$/, any, 'no-tables'],
  [/^53100$/, any, 'full'],
  // The room that the server's administrator leaves on the disk.
  [/^53400$/, /temp_file_limit/, 'full'],
  [/^53300$/, any, 'too-many'],
  [/^57P0[123]$/, any, 'starting'],
  [/^(57014|55P03)$/, any, 'slow'],
  [/^(53|57)/, any, 'other'],
  [/^(ENOTFOUND|EAI_[A-Z]+)$/, any, 'unknown-host'],
  [/^ECONNREFUSED$/, any, 'refused'],
  [any, /WRONG_VERSION_NUMBER|wrong version number|error establishing an SSL connection/i, 'not-postgres'],
  [any, /does not support SSL/, 'no-tls'],
  [/CERT|SELF_SIGNED|SIGNATURE|ERR_TLS|ERR_SSL|HOSTNAME/, any, 'certificate'],
  [/^(E[A-Z]+|08...)$/, any, 'silent'],
  [any, /timeout|terminated|closed/i, 'silent'],
]

/** What an error of a connection or of the server says about the hub. */
export function troubleOf(cause: unknown): HubTrouble {
  if (cause instanceof HubProblem) return cause.trouble
  if (isOutOfFiles(cause)) return 'out-of-files'
  const [code, words] = [codeOf(cause), messageOf(cause)]
  return told.find(([codes, texts]) => codes.test(code) && texts.test(words))?.[2] ?? 'other'
}

/** The first byte of an answer in PostgreSQL's protocol to a connection without TLS: https://www.postgresql.org/docs/current/protocol-message-formats.html */
const firstBytes = new Set(['R', 'E', 'N', 'v'].map((letter) => letter.charCodeAt(0)))

const Listened = z.object({
  connection: z.object({
    stream: z.custom<{ once(event: 'data', listener: (bytes: Uint8Array) => void): void }>(
      (value) => typeof value === 'object',
    ),
  }),
})

/**
 * Notes whether what answers a new connection speaks another protocol. Call it before the connection is made. With TLS, the error
 * says that.
 */
export function listenForOthers(client: unknown, hasTls: boolean): () => boolean {
  let isOther = false
  if (hasTls) return () => false
  Listened.safeParse(client).data?.connection.stream.once('data', ([first]) => {
    isOther = first !== undefined && !firstBytes.has(first)
  })
  return () => isOther
}
