import { createAdmin, createFaultBook, createRequestLog, type PracticeAdmin } from './admin'
import { createTokenBook } from './http/context'
import { listen } from './listener'
import { loadPictures } from './payloads/pictures'
import { type StartData, openStore } from './store/open'
import type { Listeners } from './answering'
import { readSettings } from './store/query'

export interface PracticeOptions {
  /** The initial data for an empty database, or a function that reads it; a database with data is kept. */
  data: StartData | undefined
  /** A file, or `:memory:`. */
  db: string
  /** 0 picks one. */
  port: number
  /** 0 (the default) picks one. */
  adminPort?: number
  now?: () => Date
  /** Folder of the pictures that the data names; products have no pictures without it. */
  picturesDir: string | undefined
  /** Called with each SQL statement that runs, for counting them. */
  onStatement?: (sql: string) => void
}

export interface PracticeService {
  /** `{base_url}` of the specification. */
  baseUrl: string
  /** `{auth_url}` for both products; `<authUrl>/retail` and `<authUrl>/sourcing` are for one product. */
  authUrl: string
  adminUrl: string
  admin: PracticeAdmin
  /** Stops listening, cuts open connections, closes the database. */
  close(): Promise<void>
}

/**
 * Starts the traceability service on loopback, with its admin API on a separate port. Throws `CannotStart`, whose
 * message is one sentence for a person, if a port or the database can't be opened.
 */
export async function startPracticeService(options: PracticeOptions): Promise<PracticeService> {
  const now = options.now ?? (() => new Date())
  const store = openStore(options.db, options.data, options.onStatement)
  const closing = new AbortController()
  try {
    const pictures = loadPictures(options.picturesDir)
    const settings = readSettings(store)
    const listener = await listen(options.port)
    const adminListener = await listen(options.adminPort ?? 0).catch(async (cause: unknown) => {
      await listener.close()
      throw cause
    })
    const tokens = createTokenBook(settings.expiresIn, now)
    const faults = createFaultBook()
    const log = createRequestLog()
    const admin = createAdmin({ store, faults, tokens, log, listener })
    const { origin } = listener
    const parts = { store, settings, tokens, now, origin, pictures }
    let loading: Promise<Listeners> | undefined
    const load = () =>
      (loading ??= import('./answering').then(({ createListeners }) =>
        createListeners({ parts, faults, log, admin, closing: closing.signal }),
      ))
    listener.serve(async () => (await load()).service)
    adminListener.serve(async () => (await load()).admin)

    return {
      baseUrl: origin,
      authUrl: `${origin}/auth`,
      adminUrl: adminListener.origin,
      admin,
      async close() {
        closing.abort()
        await Promise.all([listener.close(), adminListener.close()])
        // The first request may still be loading what reads the store.
        await loading
        store.close()
      },
    }
  } catch (cause) {
    store.close()
    throw cause
  }
}
