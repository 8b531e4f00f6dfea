/** A request that the service saw. Neither query, headers nor bodies are kept: they may hold secrets. */
export interface SeenRequest {
  at: string
  method: string
  path: string
  /** null when no answer was sent. */
  status: number | null
  /** The fault that it met. */
  fault: string | null
}

const kept = 1000

/** The newest thousand requests, the oldest first. */
export function createRequestLog() {
  const seen: SeenRequest[] = []
  return {
    add(request: SeenRequest): void {
      seen.push(request)
      if (seen.length > kept) seen.shift()
    },
    list: (): SeenRequest[] => [...seen],
  }
}
export type RequestLog = ReturnType<typeof createRequestLog>
