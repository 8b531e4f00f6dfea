import { type Socket, connect, createServer } from 'node:net'
import { bind, bindAny } from '../../src-practice/listener'

/** What happens to the bytes between a station and its service. Connections stay open, except with `refused`. */
export type Cut =
  | 'none'
  /** The station's bytes vanish: the service never gets them. */
  | 'requests swallowed'
  /** The service's bytes vanish: it acts on requests, but its answers are lost. */
  | 'answers swallowed'
  | 'both swallowed'
  /** Connections are refused; open ones are reset. */
  | 'refused'

/** A wire with a knob, between a station and its service. */
export interface Partition {
  /** The address that the station uses for the service. */
  readonly origin: string
  /**
   * Takes effect now; `none` repairs the wire. A connection that lost bytes stays mute forever, because TCP allows no
   * gaps.
   */
  cut(how: Cut): Promise<void>
  close(): Promise<void>
}

const host = '127.0.0.1'

/** Puts a wire before a service at `origin`; answers are delayed by `latency` ms. */
export async function startPartition(origin: string, { latency = 0 } = {}): Promise<Partition> {
  const service = new URL(origin)
  const open = new Set<Socket>()
  let how: Cut = 'none'

  const keep = (socket: Socket) => {
    open.add(socket)
    socket.setNoDelay(true)
    // Either end may be killed at any moment: that is the purpose of these tests.
    socket.on('error', () => undefined)
    socket.on('close', () => open.delete(socket))
  }
  const server = createServer({ allowHalfOpen: false }, (station) => {
    const far = connect(Number(service.port), service.hostname)
    keep(station)
    keep(far)
    let isMute = { requests: false, answers: false }
    station.on('data', (bytes) => {
      isMute = { ...isMute, requests: isMute.requests || how === 'requests swallowed' || how === 'both swallowed' }
      if (!isMute.requests) far.write(bytes)
    })
    far.on('data', (bytes) => {
      isMute = { ...isMute, answers: isMute.answers || how === 'answers swallowed' || how === 'both swallowed' }
      if (isMute.answers) return
      if (latency === 0) station.write(bytes)
      else setTimeout(() => station.write(bytes), latency)
    })
    // A close travels like a message.
    station.on('close', () => far.destroy())
    far.on('close', () => {
      if (how === 'none' || how === 'requests swallowed') setTimeout(() => station.destroy(), latency)
    })
  })
  const port = await bindAny(server)
  const stopListening = () =>
    new Promise<void>((resolve) => {
      for (const socket of open) socket.destroy()
      if (!server.listening) resolve()
      else server.close(() => resolve())
    })

  return {
    origin: `http://${host}:${port}`,
    async cut(next) {
      const before = how
      how = next
      if (next === 'refused') await stopListening()
      else if (before === 'refused') await bind(server, port)
    },
    close: stopListening,
  }
}
