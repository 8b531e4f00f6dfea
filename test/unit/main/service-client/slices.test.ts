import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { inSlices } from '../../../../src-main/service/slices'

it('reads at most 4 kB at once, every byte in its order, and nothing once the socket is destroyed', () => {
  const socket = inSlices(new PassThrough({ highWaterMark: 100_000 }))
  const sent = Buffer.from(Array.from({ length: 10_000 }, (_, index) => index % 256))
  socket.write(sent)
  const read = [socket.read(), socket.read(), socket.read(), socket.read()].map((one) =>
    one === null ? null : Buffer.from(one),
  )
  expect(read.map((one) => one?.length ?? null)).toEqual([4_096, 4_096, 1_808, null])
  expect(Buffer.concat(read.flatMap((one) => one ?? []))).toEqual(sent)
  socket.write(sent)
  socket.destroy()
  expect(socket.read()).toBeNull()
})
