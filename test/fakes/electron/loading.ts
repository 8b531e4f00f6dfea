/** Chromium's error codes for failed loads. */
export const aborted = { code: 'ERR_ABORTED', errno: -3 } as const
export const failed = { code: 'ERR_FAILED', errno: -2 } as const
export interface LoadFailure {
  code: string
  errno: number
}

/**
 * The promise of `loadURL`, as in Electron: it rejects with code, errno and address, and leaving it uncaught is
 * harmless.
 */
export class Loading {
  readonly #settled = Promise.withResolvers<undefined>()
  isOver = false

  constructor(readonly url: string) {
    this.#settled.promise.catch(() => undefined)
  }

  get promise(): Promise<void> {
    return this.#settled.promise
  }

  finish(): void {
    this.isOver = true
    this.#settled.resolve(undefined)
  }

  fail({ code, errno }: LoadFailure): void {
    if (this.isOver) return
    this.isOver = true
    const message = `${code} (${errno}) loading '${this.url}'`
    this.#settled.reject(Object.assign(new Error(message), { code, errno, url: this.url }))
  }
}
