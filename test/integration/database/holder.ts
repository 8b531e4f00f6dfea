import { openStore, AppStartError } from '../../../src-main/database/open'
import { handClock } from '../../fakes/clock'
import { outboxOn, put, sale } from '../../unit/main/database/shop'

/**
 * A process that holds the store: `holder.ts FILE idle|writing`. Prints one line with the result of opening it, then
 * one line for each saved operation.
 */
const [file = '', what = 'idle'] = process.argv.slice(2)
try {
  const store = openStore(file)
  const outbox = outboxOn(store, handClock())
  process.stdout.write(`open ${store.found}\n`)
  let n = outbox.read.counts().unsent
  const write = () => {
    process.stdout.write(`${put(outbox, sale(++n)).id}\n`)
    setImmediate(write)
  }
  if (what === 'writing') write()
  else setInterval(() => undefined, 1_000)
} catch (cause) {
  process.stdout.write(`${cause instanceof AppStartError ? cause.code : String(cause)}\n`)
}
