import { appendFileSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import pino from 'pino'
import { type Secrets, redactedFields } from '../credentials/secrets'
import { makeOwnFolder } from '../database/files'

/** The log of the main process. Fields never hold a secret, a token or a customer id. */
export interface Log {
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

/** A log that writes to a file. */
export interface FileLog extends Log {
  /** Closes the file. Later entries are still appended, line by line. */
  close(): Promise<void>
}

export const silentLog: Log = { info() {}, warn() {}, error() {} }

/** The log file is rotated at this size, in bytes. One older file is kept. */
const largest = 5_000_000
/** The size is checked once per this many lines. */
const linesBetweenLooks = 200

/**
 * Structured JSON lines in a file, rotated by size, with known secrets removed. A disk error costs log lines, never the
 * app.
 */
export function createFileLog(file: string, secrets?: Pick<Secrets, 'scrub'>): FileLog {
  makeOwnFolder(dirname(file))
  const destination = pino.destination({ dest: file, sync: true })
  // Without a listener, a full disk would cause an uncaught exception.
  destination.on('error', () => undefined)
  let closed: Promise<void> | undefined
  const late = (line: string) => {
    try {
      appendFileSync(file, line)
    } catch {
      // The folder of the log may have been removed.
    }
  }
  const logger = pino(
    {
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // Second line of defense, in case a secret is ever passed.
      formatters: { log: (fields) => redactedFields(fields, secrets && ((text) => secrets.scrub(text))) },
    },
    {
      write(line: string) {
        if (closed) late(line)
        else destination.write(line)
      },
    },
  )
  let lines = 0
  const rotate = () => {
    if (closed || ++lines % linesBetweenLooks !== 0) return
    try {
      if (statSync(file).size < largest) return
      renameSync(file, `${file}.1`)
      destination.reopen()
    } catch {
      // The file keeps growing; the next check tries again.
    }
  }
  const write =
    (level: 'info' | 'warn' | 'error') =>
    (message: string, fields: Record<string, unknown> = {}) => {
      rotate()
      logger[level](fields, message)
    }
  const close = () =>
    (closed ??= new Promise((resolve) => {
      destination.once('close', resolve)
      destination.once('error', () => {
        resolve()
      })
      destination.destroy()
    }))
  return { info: write('info'), warn: write('warn'), error: write('error'), close }
}
