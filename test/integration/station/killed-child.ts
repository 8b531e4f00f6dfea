import process from 'node:process'
import { z } from 'zod'
import type { KeychainError } from '../../../src-main/credentials/keychain'
import { createDispatch } from '../../../src-main/ipc/dispatch'
import { unlimited } from '../../../src-main/ipc/limits'
import { openStation } from '../../../src-main/station/station'
import { type Result, ok } from '../../../src-shared/result'
import { fakeScanners } from '../../fakes/hid-layer'

/** A station in a separate process, to be killed. Its parent acts as its page, and stores its keychain entries. */

const Order = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('open'),
    dataDir: z.string(),
    resourcesDir: z.string(),
    entries: z.record(z.string(), z.string()),
  }),
  z.object({ do: z.literal('call'), id: z.number(), call: z.string(), input: z.unknown().optional() }),
  z.object({ do: z.literal('close') }),
])

const tell = (message: object) => process.send?.(message)

async function open(dataDir: string, resourcesDir: string, entries: Map<string, string>) {
  const done: Result<null, KeychainError> = ok(null)
  const station = await openStation({
    dataDir,
    resourcesDir,
    version: '0.0.0-test',
    scanners: fakeScanners().layer,
    keychain: {
      read: (account) => Promise.resolve(ok(entries.get(account) ?? null)),
      write(account, secret) {
        entries.set(account, secret)
        tell({ account, secret })
        return Promise.resolve(done)
      },
      remove(account) {
        entries.delete(account)
        tell({ account, secret: null })
        return Promise.resolve(done)
      },
    },
  })
  return { station, dispatch: createDispatch({ station, rateLimit: unlimited, isTrusted: () => true }) }
}

let running: Awaited<ReturnType<typeof open>> | undefined

process.on('message', (message) => {
  const order = Order.parse(message)
  void (async () => {
    if (order.do === 'open') {
      running = await open(order.dataDir, order.resourcesDir, new Map(Object.entries(order.entries)))
      tell({ isOpen: true })
    } else if (order.do === 'close') {
      await running?.station.close()
      process.exit(0)
    } else {
      tell({ id: order.id, answer: (await running?.dispatch('page', order.call, order.input)) ?? null })
    }
  })()
})
