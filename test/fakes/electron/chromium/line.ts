import { z } from 'zod'

const Message = z.discriminatedUnion('is', [
  z.object({ is: z.literal('question'), id: z.number(), name: z.string(), input: z.unknown() }),
  z.object({ is: z.literal('answer'), id: z.number(), value: z.unknown() }),
  z.object({ is: z.literal('problem'), id: z.number(), message: z.string() }),
  z.object({ is: z.literal('news'), name: z.string(), input: z.unknown() }),
])

/** Answers one end's questions, by name. Must parse its arguments: they come from another process. */
export type Answers = Readonly<Record<string, (input: unknown) => unknown>>

/** One end of a line between two processes that ask each other questions. Messages arrive in the order sent. */
export interface Line {
  ask(name: string, input: unknown): Promise<unknown>
  tell(name: string, input: unknown): void
  /** Must be called with every message that arrives. */
  receive(message: unknown): void
  /** The other end is gone: nothing will be answered any more. */
  end(cause: Error): void
}

/** `send` takes what structured clone takes. */
export function createLine(send: (message: z.input<typeof Message>) => void, answers: Answers): Line {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  const arrived: unknown[] = []
  let isBusy = false
  let last = 0
  let ended: Error | undefined

  const reply = async (id: number, name: string, input: unknown) => {
    try {
      const answer = answers[name]
      if (!answer) throw new Error(`not known here: ${name}`)
      send({ is: 'answer', id, value: await answer(input) })
    } catch (cause) {
      send({ is: 'problem', id, message: cause instanceof Error ? cause.message : String(cause) })
    }
  }

  function take(received: unknown): void {
    const message = Message.parse(received)
    if (message.is === 'question') void reply(message.id, message.name, message.input)
    else if (message.is === 'news') answers[message.name]?.(message.input)
    else {
      const question = waiting.get(message.id)
      waiting.delete(message.id)
      if (message.is === 'answer') question?.resolve(message.value)
      else question?.reject(new Error(message.message))
    }
  }

  /** Each message is handled completely before the next, so an event never overtakes an answer sent before it. */
  async function takeInTurn(): Promise<void> {
    isBusy = true
    for (const message of iterate(arrived)) {
      take(message)
      await new Promise((resolve) => setImmediate(resolve))
    }
    isBusy = false
  }

  return {
    ask(name, input) {
      const question = Promise.withResolvers<unknown>()
      if (ended) question.reject(ended)
      else {
        const id = ++last
        waiting.set(id, question)
        send({ is: 'question', id, name, input })
      }
      return question.promise
    },
    tell(name, input) {
      if (!ended) send({ is: 'news', name, input })
    },
    receive(message) {
      arrived.push(message)
      if (!isBusy) void takeInTurn()
    },
    end(cause) {
      ended = cause
      for (const { reject } of waiting.values()) reject(cause)
      waiting.clear()
    },
  }
}

/** Includes items added meanwhile. */
function* iterate(list: unknown[]) {
  while (list.length > 0) yield list.shift()
}
