import { z } from 'zod'

const WindowId = z.number()

/** Questions from main's process to the process with the pages. */
export const toWindows = {
  open: z.object({ window: WindowId, preload: z.string().optional() }),
  load: z.object({ window: WindowId, url: z.string() }),
  send: z.object({ window: WindowId, channel: z.string(), args: z.array(z.unknown()) }),
  close: z.object({ window: WindowId }),
} as const

/** The result of a load: an error of Chromium's by name, such as `ERR_ABORTED`. */
export const Loaded = z.object({
  error: z.string().nullable(),
  frame: z.object({ url: z.string(), origin: z.string() }),
})

/** Questions from the process with the pages to main's process. */
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

/** The result of a `window.open`. */
export const Opened = z.object({ isOpened: z.boolean(), outside: z.array(z.string()) })
