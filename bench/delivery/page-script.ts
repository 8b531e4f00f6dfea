/** The bench's code inside the page: it observes every frame and every long task. */
interface PageBench {
  /** Duration of each task over 50 ms since the last `reset`, in ms. */
  longTasks: number[]
  /** The maximum number of rows in the document, and of nodes in the list. */
  mostRows: number
  /** The values of the progress bar, each once. */
  progress: number[]
  /** The longest message from main, and the total number of bytes. */
  largest: number
  received: number
  reset(): void
  /** Resolves when a frame is drawn in which a matching element contains the text; rejects after a minute. */
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
