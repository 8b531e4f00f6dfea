/** The bench's code inside the page: it listens on the app's own WebSocket, and records when something is painted. */
interface PageBench {
  /** Every message from main, with its arrival time. */
  messages: { at: number; data: string }[]
  /** Waits for the first element that comes with this text, or is changed to it. */
  watch(text: string): Promise<Seen>
  /** Waits until the element that was watched last has left the document, and the page has been drawn without it. */
  gone(): Promise<void>
  /** A call that does nothing, followed by an element that its answer adds to the page. */
  floor(wait: number): Promise<Seen & { start: number; answered: number }>
  now(): number
}

/** All times are the page's `performance.now()`. */
interface Seen {
  /** The element is in the document. */
  inserted: number
  /** The frame with the element was drawn. */
  painted: number
}

declare global {
  interface Window {
    scanBench: PageBench
  }
}

/**
 * Runs in the page before its own scripts. "Painted" is the same for both: a MutationObserver sees the element, the next
 * animation frame comes, and the first task after that frame's layout and paint runs.
 */
export function installPageBench() {
  const messages: PageBench['messages'] = []
  let socket: WebSocket | undefined
  let onAnswer: { prefix: string; run: () => void } | undefined
  const listenTo = (opened: WebSocket) => {
    socket = opened
    opened.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (typeof data !== 'string') return
      messages.push({ at: performance.now(), data })
      if (onAnswer && data.startsWith(onAnswer.prefix)) onAnswer.run()
    })
  }
  window.WebSocket = class extends WebSocket {
    constructor(url: string | URL) {
      super(url)
      listenTo(this)
    }
  }

  const nextTask = (run: () => void) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = run
    port2.postMessage(null)
  }
  const frameDrawn = () =>
    new Promise<void>((resolve) => {
      requestAnimationFrame(() => nextTask(resolve))
    })

  /** Elements that came, and elements whose words have changed. */
  const changedNodes = ({ type, target, addedNodes }: MutationRecord) =>
    type === 'characterData' ? [target.parentElement] : Array.from(addedNodes)
  let watched: Node | null | undefined
  const appearance = (text: string, found: (node: Node | null) => void = () => undefined) =>
    new Promise<Seen>((resolve) => {
      const observer = new MutationObserver((records) => {
        const holds = (node: Node | null) => node instanceof HTMLElement && node.textContent.includes(text)
        const shown = records.flatMap(changedNodes).find(holds)
        if (shown === undefined) return
        const inserted = performance.now()
        found(shown)
        observer.disconnect()
        void frameDrawn().then(() => resolve({ inserted, painted: performance.now() }))
      })
      observer.observe(document.body, { childList: true, characterData: true, subtree: true })
    })

  let calls = 0
  window.scanBench = {
    messages,
    watch: (text) => appearance(text, (node) => (watched = node)),
    async gone() {
      while (watched?.isConnected === true) await frameDrawn()
      await frameDrawn()
    },
    async floor(wait) {
      await new Promise((resolve) => setTimeout(resolve, wait))
      // Numbers that the app's own calls don't use: the app ignores the answers.
      const id = -++calls
      const element = document.createElement('p')
      element.textContent = `floor ${id}`
      element.style.cssText = 'position: fixed; bottom: 0; left: 0'
      const appeared = appearance(`floor ${id}`)
      let answered = 0
      onAnswer = {
        prefix: `{"id":${id},`,
        run() {
          answered = performance.now()
          document.body.append(element)
        },
      }
      const start = performance.now()
      socket?.send(JSON.stringify({ id, call: 'practice.fault' }))
      const seen = await appeared
      element.remove()
      return { start, answered, ...seen }
    },
    now: () => performance.now(),
  }
}
