/** What the bench does inside the page: it looks at every frame, and is told of every long task. */
export interface PageBench {
  /** ms of each task over 50 ms since the last `reset`. */
  longTasks: number[]
  /** Rows in the document at most, and nodes of the list. */
  mostRows: number
  /** What the progress bar showed, each value once. */
  progress: number[]
  /** The longest message of main, and how many bytes came in all. */
  largest: number
  received: number
  reset(): void
  /** Resolves when the frame is drawn in which an element that matches holds the text; rejects after a minute. */
  seen(selector: string, text: string): Promise<void>
}

declare global {
  interface Window {
    deliveryBench: PageBench
  }
}

/** Runs in the page before its own scripts. */
export function installPageBench() {
  const bench: PageBench = {
    longTasks: [],
    mostRows: 0,
    progress: [],
    largest: 0,
    received: 0,
    reset() {
      Object.assign(bench, { longTasks: [], mostRows: 0, progress: [], largest: 0, received: 0 })
    },
    seen: (selector, text) =>
      new Promise((resolve, reject) => {
        const giveUpAt = performance.now() + 60_000
        const look = () => {
          if (performance.now() > giveUpAt) {
            reject(new Error(`"${text}" was not seen at ${selector}`))
            return
          }
          const found = Array.from(document.querySelectorAll(selector)).some((one) => one.textContent.includes(text))
          if (!found) {
            requestAnimationFrame(look)
            return
          }
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = () => resolve()
            port2.postMessage(null)
          })
        }
        look()
      }),
  }
  window.deliveryBench = bench
  new PerformanceObserver((list) => {
    bench.longTasks.push(...list.getEntries().map(({ duration }) => duration))
  }).observe({ type: 'longtask' })

  const lookAtFrame = () => {
    bench.mostRows = Math.max(bench.mostRows, document.querySelectorAll('li').length)
    const value = document.querySelector('footer progress')
    if (value instanceof HTMLProgressElement && bench.progress.at(-1) !== value.value) bench.progress.push(value.value)
    requestAnimationFrame(lookAtFrame)
  }
  requestAnimationFrame(lookAtFrame)

  window.WebSocket = class extends WebSocket {
    constructor(url: string | URL) {
      super(url)
      this.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        if (typeof data !== 'string') return
        bench.largest = Math.max(bench.largest, data.length)
        bench.received += data.length
      })
    }
  }
}
