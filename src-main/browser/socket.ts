import type { RawData, WebSocket } from 'ws'
import { z } from 'zod'
import type { Dispatch } from '../ipc/dispatch'
import type { Events } from '../ipc/handlers'

/** A connected page of the app. It was checked when it connected, so an open socket is trusted. */
export interface ConnectedPage {
  isAdmitted: boolean
}

const Message = z.object({ id: z.number().int(), call: z.unknown(), input: z.unknown().optional() })

/** In bytes. The app's page never sends a larger message; one closes the connection. */
export const largestMessage = 256 * 1024

/** Speaks the contract over a WebSocket: `{id, call, input}` in, `{id, answer}` and `{event, payload}` out. */
export function serveSocket(
  socket: WebSocket,
  { dispatch, events, front }: { dispatch: Dispatch<ConnectedPage>; events: Events; front: FrontPage<ConnectedPage> },
): void {
  const page: ConnectedPage = { isAdmitted: true }
  const send = (message: object) => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
  }
  const stopEvents = events.listen((event, payload) => {
    if (event !== 'scanner.scanned' || front.isInFront(page)) send({ event, payload })
  })
  front.came(page)
  socket.on('close', () => {
    front.left(page)
    stopEvents()
  })
  // A "close" event follows; without a listener, an error would end the process.
  socket.on('error', () => undefined)
  socket.on('message', (data) => {
    const message = parseMessage(data)
    // What has no number can't be answered.
    if (!message) return
    front.called(page, message.call)
    void dispatch(page, message.call, message.input).then((answer) => {
      send({ id: message.id, answer })
    })
  })
}

function parseMessage(data: RawData): z.infer<typeof Message> | undefined {
  try {
    return Message.safeParse(JSON.parse(textOf(data))).data
  } catch {
    return undefined
  }
}

const textOf = (data: RawData) =>
  (Array.isArray(data) ? Buffer.concat(data) : data instanceof ArrayBuffer ? Buffer.from(data) : data).toString('utf8')

/**
 * Chooses which of several pages receives scans. Every page would act on a scan, but the person looks at only one: the
 * page that last reported its screen (`scanner.setPlace`, sent when it loads, changes screens or gets the focus) or
 * submitted a scan.
 */
interface FrontPage<Page> {
  /** A page that hasn't called anything yet gets scans only if it is the only page. */
  came(page: Page): void
  called(page: Page, call: unknown): void
  left(page: Page): void
  isInFront(page: Page): boolean
}

const signsOfUse = new Set<unknown>(['scanner.setPlace', 'scanner.submit'])

export function createFrontPage<Page>(): FrontPage<Page> {
  /** The last page is in front. */
  let pages: Page[] = []
  const without = (page: Page) => pages.filter((each) => each !== page)
  return {
    came(page) {
      pages = [page, ...pages]
    },
    called(page, call) {
      if (signsOfUse.has(call)) pages = [...without(page), page]
    },
    left(page) {
      pages = without(page)
    },
    isInFront: (page) => pages.at(-1) === page,
  }
}
