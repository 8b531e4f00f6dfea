import { appendFileSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import pino from 'pino'
import { type Secrets, redactedFields } from './secrets'
import { makeOwnFolder } from './store/files'

/** What the parts of main write to. Fields never hold a secret, a token or a customer id. */
export interface Log {
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

/** A log with a file of its own. */
export interface FileLog extends Log {
  /** Closes the file. Later entries are still appended, line by line. */
  close(): Promise<void>
}

export const silentLog: Log = { info() {}, warn() {}, error() {} }

/** A log file is put aside at this size, in bytes; one older one is kept. */
const largest = 5_000_000
/** A look at the size every so many lines. */
const linesBetweenLooks = 200

/**
 * Structured JSON lines in a file, rotated by size, without the secrets that are known. A disk that refuses costs log
 * lines, never the app.
 */
export function createFileLog(file: string, secrets?: Pick<Secrets, 'scrub'>): FileLog {
  makeOwnFolder(dirname(file))
  const destination = pino.destination({ dest: file, sync: true })
  // Without a listener a full disk would be an uncaught exception.
  destination.on('error', () => undefined)
  let closed: Promise<void> | undefined
  const late = (line: string) => {
    try {
      appendFileSync(file, line)
    } catch {
      // Its folder may be gone by now.
    }
  }
  const logger = pino(
    {
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // The second line of defence, should a secret ever be passed.
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
      // Then the file grows; the next look tries again.
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
