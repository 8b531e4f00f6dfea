/** What the parts of main write to. Fields never hold a secret, a token or a customer id. */
export interface Log {
  info(message: string, fields?: Record<string, unknown>): void
  warn(message: string, fields?: Record<string, unknown>): void
  error(message: string, fields?: Record<string, unknown>): void
}

export const silentLog: Log = { info() {}, warn() {}, error() {} }
