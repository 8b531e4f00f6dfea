import { type Socket, connect, createServer } from 'node:net'
import { parseArgs } from 'node:util'
import { z } from 'zod'

/**
 * A line to a server on this computer that takes a certain time for the way there and back, in ms: `--to PORT --away MS`. A
 * timer of Node is late by up to one ms, more than such a line takes: this process waits by looking again and again.
 */
const { values } = parseArgs({ options: { to: { type: 'string' }, away: { type: 'string' } } })
const { to, away } = z.object({ to: z.coerce.number(), away: z.coerce.number() }).parse(values)

const waiting: { at: number; act: () => void }[] = []
const look = () => {
  for (let first = waiting[0]; first && first.at <= performance.now(); first = waiting[0]) {
    waiting.shift()
    first.act()
  }
  if (waiting.length > 0) setImmediate(look)
}
const later = (act: () => void) => {
  waiting.push({ at: performance.now() + away / 2, act })
  if (waiting.length === 1) setImmediate(look)
}

const pass = (from: Socket, onto: Socket) => {
  from.setNoDelay(true).on('error', () => undefined)
  from.on('data', (bytes) => {
    later(() => void onto.write(bytes))
  })
  from.on('close', () => {
    later(() => void onto.end())
  })
}
const server = createServer((near) => {
  const far = connect(to, '127.0.0.1')
  pass(near, far)
  pass(far, near)
})
server.listen(0, '127.0.0.1', () => {
  console.log(`Far line: ${JSON.stringify(server.address())}`)
})
