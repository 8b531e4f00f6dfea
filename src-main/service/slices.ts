import type { Duplex } from 'node:stream'
import type { buildConnector as Connecting } from 'undici'
import { buildConnector } from './undici'

/** In bytes. */
const longestSlice = 4_096

/**
 * Lets a socket be read a little at a time, and not at all once it is destroyed. The client parses what it reads in one go
 * even after the head of an answer was found to be too long, and makes an error for each further header: a hostile
 * service could keep main busy for a second with the 64 kB that a socket gives at once.
 */
export function inSlices<Stream extends Duplex>(socket: Stream): Stream {
  const read: (size?: number) => unknown = socket.read.bind(socket)
  socket.read = (size) => {
    if (socket.destroyed) return null
    return size === undefined && socket.readableLength > longestSlice ? read(longestSlice) : read(size)
  }
  return socket
}

/** Connects as the client's own connector does; its sockets are read in slices. */
export function slicingConnector(options: Connecting.BuildOptions): Connecting.connector {
  const connect = buildConnector(options)
  return (to, done) => {
    connect(to, (...[error, socket]) => {
      if (error) done(error, null)
      else done(null, inSlices(socket))
    })
  }
}
