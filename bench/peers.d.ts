/**
 * The peers are installed by bench/package.json: their types are declared here, so that `npm run check` works without
 * them.
 */

declare module 'drizzle-orm' {
  export const sql: { raw(text: string): unknown }
}

declare module 'liteque' {
  export function buildDBClient(file: string, options: { runMigrations: boolean }): { run(sql: unknown): void }
  export class SqliteQueue<Payload> {
    constructor(
      name: string,
      db: ReturnType<typeof buildDBClient>,
      options: { defaultJobArgs: { numRetries: number }; keepFailedJobs: boolean },
    )
    enqueue(payload: Payload): unknown
  }
}

declare module 'plainjob' {
  import type Database from 'better-sqlite3'

  type Log = () => void
  interface Logger {
    debug: Log
    info: Log
    warn: Log
    error: Log
  }
  interface Connection {
    readonly type: string
  }
  export function better(db: Database.Database): Connection
  export function defineQueue(options: { connection: Connection; logger: Logger }): {
    add(type: string, payload: unknown): unknown
    close(): void
  }
}

declare module 'onscan.js' {
  interface Options {
    onScan?: (text: string, count: number) => void
    avgTimeByChar?: number
    timeBeforeScanTest?: number
  }
  const onScan: {
    attachTo(target: EventTarget, options: Options): void
    detachFrom(target: EventTarget): void
  }
  export default onScan
}

/** Its package exports this to browsers only. */
declare module '*/keyboard-barcode-scanner.esm.js' {
  export default class KeyboardBarcodeScanner {
    constructor(options?: { timing?: 'auto' | number })
    connect(): Promise<void>
    disconnect(): Promise<void>
    addEventListener(type: 'barcode', listener: (read: { value: string; aim?: string }) => void): void
  }
}
