import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'

/**
 * Looks at every page of a copy, in a thread of its own: with 100,000 operations it takes a quarter of a second, and a scan
 * must not wait for it. The thread's program is a text because a file would have another address in the bundle, in tests
 * and under tsx; it is short, and the verdict is parsed.
 */
const program = `
  const { parentPort, workerData } = require('node:worker_threads')
  const Sqlite = require(workerData.sqlite)
  const db = new Sqlite(workerData.file, { fileMustExist: true, timeout: 0 })
  try {
    db.pragma('locking_mode = EXCLUSIVE')
    parentPort.postMessage(db.pragma('quick_check(1)', { simple: true }))
  } catch (cause) {
    if (!/^SQLITE_(CORRUPT|NOTADB)/.test(cause.code)) throw cause
    parentPort.postMessage(cause.code)
  } finally {
    db.close()
  }`

/** `ok`, or what is wrong with it in SQLite's words. Rejects when it could not be looked at, or was told to stop. */
export function checkCopy(file: string, signal: AbortSignal): Promise<string> {
  const sqlite = createRequire(import.meta.url).resolve('better-sqlite3')
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const worker = new Worker(program, { eval: true, workerData: { sqlite, file } })
    const stop = () => void worker.terminate()
    signal.addEventListener('abort', stop)
    let verdict: unknown
    worker.on('message', (said: unknown) => {
      verdict = said
    })
    worker.on('error', reject)
    // Not before its end: until then it has the file open.
    worker.on('exit', () => {
      signal.removeEventListener('abort', stop)
      if (typeof verdict === 'string') resolve(verdict)
      else reject(new Error('the copy could not be looked at'))
    })
  })
}
