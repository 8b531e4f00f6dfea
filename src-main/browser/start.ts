import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

/**
 * The built command. What V8 compiled at the last start lies beside the build, and goes with it: each build begins with
 * an empty folder. Where it can't be written, everything is compiled as usual.
 */
enableCompileCache(join(import.meta.dirname, 'compiled'))
await import('./main')
// Now, so that the next start finds what a start needs, and nothing of the work that follows.
flushCompileCache()
