import { type Socket, connect, createServer } from 'node:net'
import { z } from 'zod'

/** What happens to the bytes between a station and its hub. `refused`: connections are reset, and none can be made. */
export type LineCut = 'requests swallowed' | 'answers swallowed' | 'both swallowed' | 'refused'

/** A line to a server on this computer that a test can cut in each direction, or slow down. */
export interface SlowLine {
  port: number
  /** From now on bytes vanish. A connection that lost some stays mute until `mend`: TCP allows no gaps. */
  cut(how: LineCut): void
  /** From now on nothing of the server arrives; what is asked still reaches it. */
  swallow(): void
  /** The next connection on which this text is asked gets no answer any more; others work. */
  swallowAnswerTo(text: string): void
  /** From now on bytes arrive this much later, in ms, in their order; also after a station has given up. */
  slow(delay: { requests: number; answers: number }): void
  /** New connections work again, at once. Connections that lost bytes are reset. */
  mend(): void
  close(): Promise<void>
}

type Direction = 'requests' | 'answers'

export async function startSlowLine(target: number): Promise<SlowLine> {
  const pairs = new Set<{ near: Socket; reset: () => void; isMute: () => boolean }>()
  let how: LineCut | 'none' = 'none'
  let delay = { requests: 0, answers: 0 }
  let trap: string | undefined
  const swallows = (direction: Direction) => how === `${direction} swallowed` || how === 'both swallowed'

  /** Hands bytes on in their order. Returns whether some were lost. */
  const pipe = (from: Socket, to: Socket, direction: Direction) => {
    const waiting: { at: number; act: () => void }[] = []
    let timer: NodeJS.Timeout | undefined
    let isMute = false
    const drain = () => {
      timer = undefined
      const [first] = waiting
      if (!first) return
      const left = first.at - performance.now()
      if (left > 0) {
        timer = setTimeout(drain, Math.ceil(left))
        return
      }
      waiting.shift()
      first.act()
      drain()
    }
    const later = (act: () => void) => {
      const at = Math.max(performance.now() + delay[direction], waiting.at(-1)?.at ?? 0)
      waiting.push({ at, act })
      if (timer === undefined) drain()
    }
    from.on('data', (bytes) => {
      isMute ||= swallows(direction)
      if (!isMute) later(() => to.write(bytes))
    })
    // The end travels behind the bytes.
    from.on('close', () => {
      isMute ||= swallows(direction)
      if (!isMute) later(() => to.end())
    })
    return {
      isMute: () => isMute,
      mute: () => void (isMute = true),
      stop: () => {
        clearTimeout(timer)
        waiting.length = 0
      },
    }
  }

  const server = createServer((near) => {
    if (how === 'refused') {
      near.destroy()
      return
    }
    const far = connect(target, '127.0.0.1')
    for (const socket of [near, far]) socket.setNoDelay(true).on('error', () => undefined)
    const answers = pipe(far, near, 'answers')
    const both = [pipe(near, far, 'requests'), answers]
    near.on('data', (bytes) => {
      if (trap === undefined || !bytes.includes(trap)) return
      trap = undefined
      answers.mute()
    })
    const pair = {
      near,
      isMute: () => both.some((one) => one.isMute()),
      reset: () => {
        for (const one of both) one.stop()
        near.destroy()
        far.destroy()
        pairs.delete(pair)
      },
    }
    pairs.add(pair)
    far.on('close', () => {
      if (near.destroyed) pairs.delete(pair)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const resetAll = () => {
    for (const pair of [...pairs]) pair.reset()
  }
  const cut = (next: LineCut) => {
    how = next
    if (next === 'refused') resetAll()
  }
  return {
    port: z.object({ port: z.number() }).parse(server.address()).port,
    cut,
    swallow() {
      cut('answers swallowed')
    },
    swallowAnswerTo(text) {
      trap = text
    },
    slow(next) {
      delay = next
    },
    mend() {
      how = 'none'
      delay = { requests: 0, answers: 0 }
      for (const pair of [...pairs]) if (pair.isMute()) pair.reset()
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve()
        })
        resetAll()
      }),
  }
}
