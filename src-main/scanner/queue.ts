/** Runs jobs one after the other, in the order in which they came. */
export interface Queue {
  /** Resolves when the job is done. A job that throws is told of, and the next one runs. */
  add(job: () => Promise<void>): Promise<void>
}

export function createQueue(onError: (cause: unknown) => void): Queue {
  let tail: Promise<void> = Promise.resolve()
  return {
    add(job) {
      tail = tail.then(job).catch(onError)
      return tail
    },
  }
}
