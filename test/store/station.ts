import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { practiceId } from '../../src-shared/ipc/contract/station'
import { compose, type App } from '../../src-main/app/compose'
import { createDispatch } from '../../src-main/ipc/dispatch'
import { unlimited } from '../../src-main/ipc/limits'
import { fakeScanners } from '../fakes/hid-layer'
import { outsidePractice } from '../fakes/outside-practice'
import { Asked, type Request, type StationOrder } from './talk'

/** The store suite's child process: a station with the real core. After a clean close it opens the next run's. */

let app: App | undefined
let folder = ''
let dispatch: ReturnType<typeof createDispatch> | undefined

async function open({ dataDir, resourcesDir, service, account, dispensary, hub }: StationOrder): Promise<null> {
  const { stationId, joined, password, storeKey, patience } = hub
  folder = join(dataDir, practiceId)
  app = await compose({
    dataDir,
    resourcesDir,
    version: '0.0.0-store',
    // The suite ignores devices plugged into this computer.
    scanners: fakeScanners().layer,
    startPractice: outsidePractice({ ...service, account, dispensary }),
    hub: { stationId, joined, secret: () => Promise.resolve({ password, storeKey }), patience },
  })
  dispatch = createDispatch({ station: app, rateLimit: unlimited, isTrusted: () => true })
  return null
}

/** Between two commits, because commits are synchronous: SQLite lets no other process read. */
function copy(to: string): null {
  const file = join(folder, 'countertag.db')
  for (const end of ['-wal', '']) {
    if (existsSync(file + end)) copyFileSync(file + end, to + end)
    else rmSync(to + end, { force: true })
  }
  return null
}

async function answer(request: Request): Promise<unknown> {
  switch (request.ask) {
    case 'open':
      return open(request.order)
    case 'call':
      if (!dispatch) throw new Error('the station is not open')
      return dispatch('store suite', request.call, request.input)
    case 'copy':
      return copy(request.to)
    case 'close':
      await app?.close()
      app = undefined
      return null
  }
}

process.on('message', (message) => {
  const { id, request } = Asked.parse(message)
  answer(request).then(
    (said) => process.send?.({ id, answer: said }),
    (cause: unknown) => process.send?.({ id, fault: cause instanceof Error ? (cause.stack ?? cause.message) : '?' }),
  )
})
process.on('disconnect', () => process.exit(0))
