import process from 'node:process'
import { serveStation } from '../../out/main/serve.js'

/**
 * Holds the stations of one test worker, one after the other, in a process that the worker talks to and may kill.
 * Sharing a process saves most of a station's cost, which is starting Node and compiling the code. See stations.ts.
 *
 * @type {Map<string, import('../../src-main/browser/serve').ServedStation>} By data folder.
 */
const open = new Map()

process.on('message', async ({ id, ask, dataDir }) => {
  try {
    if (ask === 'open') {
      const station = await serveStation({ dataDir, profile: undefined, port: 0, development: false })
      open.set(dataDir, station)
      process.send({ id, url: station.url, adminUrl: station.practice.adminUrl })
    } else {
      const station = open.get(dataDir)
      open.delete(dataDir)
      await station.close()
      process.send({ id })
    }
  } catch (cause) {
    process.send({ id, problem: String(cause?.stack ?? cause) })
  }
})
// The worker is gone.
process.on('disconnect', () => process.exit())
