/** Collects what is to be told and tells it together, at most every so many ms; of what is told twice, the last. */
export interface Batches<Value> {
  add(key: string, value: Value): void
  /** Tells nothing any more. */
  stop(): void
}

export function createBatches<Value>(pause: number, tell: (values: Value[]) => void): Batches<Value> {
  let collected = new Map<string, Value>()
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    timer = undefined
    const values = [...collected.values()]
    collected = new Map()
    tell(values)
  }
  return {
    add(key, value) {
      collected.set(key, value)
      timer ??= setTimeout(flush, pause)
    },
    stop() {
      clearTimeout(timer)
      collected.clear()
    },
  }
}
