import { z } from 'zod'

const WindowId = z.number()

/** What main's process asks the one that has the pages. */
export const toWindows = {
  open: z.object({ window: WindowId, preload: z.string().optional() }),
  load: z.object({ window: WindowId, url: z.string() }),
  send: z.object({ window: WindowId, channel: z.string(), args: z.array(z.unknown()) }),
  close: z.object({ window: WindowId }),
} as const

/** What a load came to: an error of Chromium's by its name, as `ERR_ABORTED`. */
export const Loaded = z.object({
  error: z.string().nullable(),
  frame: z.object({ url: z.string(), origin: z.string() }),
})

/** What the process that has the pages asks main's. */
export const toMain = {
  fetch: z.object({ url: z.string(), method: z.string() }),
  invoke: z.object({
    window: WindowId,
    frame: z.object({ url: z.string(), origin: z.string(), isTop: z.boolean() }),
    channel: z.string(),
    args: z.array(z.unknown()),
  }),
  mayNavigate: z.object({ window: WindowId, url: z.string() }),
  openWindow: z.object({ window: WindowId, url: z.string() }),
  preloadError: z.object({ window: WindowId, message: z.string() }),
  quit: z.object({}),
} as const

/** An answer of main's protocol handler. */
export const Served = z.object({
  status: z.number(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: z.instanceof(Uint8Array),
})

/** What became of a `window.open`. */
export const Opened = z.object({ isOpened: z.boolean(), outside: z.array(z.string()) })
