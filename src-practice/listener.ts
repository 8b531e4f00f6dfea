import type { RequestListener } from 'node:http'
import type { Server } from 'node:net'
import process from 'node:process'

// An import reads every export of the module, and one of them loads Node's own fetch: that is for the first request.
const { createServer } = process.getBuiltinModule('node:http')
const { randomInt } = process.getBuiltinModule('node:crypto')

/** A start that fails; the message is one sentence for a person. */
export class CannotStart extends Error {}

/** An HTTP server on loopback that can stop listening and later listen on the same port again. */
export interface Listener {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string
  /** Requests are answered from the first call on. `load` is called with the first request. */
  serve(load: () => Promise<RequestListener>): void
  /** Refuses new connections and cuts open ones. Does nothing if paused. */
  pause(): Promise<void>
  /** Listens again on the same port. Does nothing if listening or closed. */
  resume(): Promise<void>
  /** Pauses for good. */
  close(): Promise<void>
}

const host = '127.0.0.1'

/**
 * Ports below those that systems give to outgoing connections: one of these could take the port of a listener while it is
 * paused.
 */
const lowest = 20_000
const highest = 32_000
const mostTries = 20

const firstPort = randomInt(lowest, highest)
let picked = 0

/**
 * Each port in its turn, from a random one on. A port that this process has just closed would be answered through the
 * connection that its clients kept open, and did not see close yet.
 */
const nextPort = () => lowest + ((firstPort - lowest + picked++) % (highest - lowest))

/** Listens on a port; 0 picks one that is free. Throws `CannotStart` if the port is in use. */
export async function listen(port: number, pick?: () => number): Promise<Listener> {
  const server = createServer()
  // Longer than clients keep idle connections: closing one just before a request would reset that request.
  server.keepAliveTimeout = 65_000
  const taken = port === 0 ? await bindAny(server, pick) : await bind(server, port)
  let isClosed = false
  let turn = Promise.resolve()
  // One after the other: a port that is still closing can't be reopened.
  const inTurn = (step: () => Promise<void>) => {
    turn = turn.then(step, step)
    return turn
  }
  const pause = () =>
    new Promise<void>((resolve) => {
      if (!server.listening) {
        resolve()
        return
      }
      server.close(() => {
        resolve()
      })
      server.closeAllConnections()
    })

  return {
    origin: `http://${host}:${taken}`,
    serve(load) {
      let answer: RequestListener | undefined
      const answerFirst: RequestListener = (incoming, outgoing) =>
        void load().then((loaded) => {
          answer = loaded
          loaded(incoming, outgoing)
        })
      server.on('request', (incoming, outgoing) => {
        const listener = answer ?? answerFirst
        listener(incoming, outgoing)
      })
    },
    pause: () => inTurn(pause),
    resume: () =>
      inTurn(async () => {
        if (!isClosed && !server.listening) await bind(server, taken)
      }),
    close: () => {
      isClosed = true
      return inTurn(pause)
    },
  }
}

/** Listens on a port that no outgoing connection is given. The last try leaves the choice to the system. */
export async function bindAny(server: Server, pick: () => number = nextPort): Promise<number> {
  for (let tries = 0; tries < mostTries; tries++) {
    try {
      return await bind(server, pick())
    } catch (cause) {
      if (!(cause instanceof CannotStart)) throw cause
    }
  }
  return bind(server, 0)
}

/** Listens on a port of loopback; rejects with `CannotStart` if it is in use. */
export function bind(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const failed = (cause: Error) => {
      reject(new CannotStart(`Port ${port} cannot be listened on: ${cause.message}.`, { cause }))
    }
    server.once('error', failed)
    server.listen(port, host, () => {
      server.off('error', failed)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}
