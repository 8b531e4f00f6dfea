import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import type { z } from 'zod'
import type { Answers, Line } from './line'
import { Opened, Served, toWindows } from './questions'
import { type MainOfPage, type Renderer, createRenderer } from './renderer'

/** The pages of one main process. */
export interface Windows {
  /** Questions that main's process may ask. */
  answers: Answers
  /** Every `window.open` of a page, and the addresses that main then opened in the person's default browser. */
  opens: { url: string; outside: string[] }[]
  /** Problems that a spec should not see: a preload that threw, a window that main would have opened. */
  problems: string[]
  /** Main is gone, and all windows close. */
  end(): Promise<void>
}

interface Open {
  page: Page
  renderer: Promise<Renderer>
}

/** Scripts injected into a page stay in it, so a page that gets another main keeps its renderer. */
const renderers = new WeakMap<Page, Promise<Renderer>>()

/** The page is the test's own, which may open it again as a new window without the old session. */
async function forget(page: Page): Promise<void> {
  try {
    await page.evaluate(() => {
      sessionStorage.clear()
    })
    await page.goto('about:blank')
  } catch {
    // The page was closed meanwhile.
  }
}

/** The first window that main opens is `first`; each further window gets its own page. `line`: to main. */
export function createWindows(first: Page, line: () => Line): Windows {
  const open = new Map<number, Promise<Open>>()
  /** Renderers of the windows whose page is ready. */
  const ready = new Map<number, Renderer>()
  const opens: Windows['opens'] = []
  const problems: string[] = []
  let isFirstFree = true

  const mainFor = (window: number): MainOfPage => ({
    fetch: async (url, method) => Served.parse(await line().ask('fetch', { url, method })),
    invoke: (frame, channel, args) => line().ask('invoke', { window, frame, channel, args }),
    mayNavigate: async (url) => (await line().ask('mayNavigate', { window, url })) === true,
    async openWindow(url) {
      const { isOpened, outside } = Opened.parse(await line().ask('openWindow', { window, url }))
      if (isOpened) problems.push(`main would open a window for ${url}`)
      opens.push({ url, outside })
    },
    preloadError(message) {
      problems.push(message)
      line().tell('preloadError', { window, message })
    },
  })

  async function openPage({ window, preload }: z.infer<typeof toWindows.open>): Promise<Open> {
    const isFirst = isFirstFree
    isFirstFree = false
    const page = isFirst ? first : await first.context().newPage()
    const text = preload === undefined ? undefined : readFileSync(preload, 'utf8')
    const renderer = renderers.get(page) ?? createRenderer(page, text)
    renderers.set(page, renderer)
    const made = await renderer
    made.belongTo(mainFor(window))
    ready.set(window, made)
    return { page, renderer }
  }
  const opened = async (window: number): Promise<Renderer> => {
    const found = await open.get(window)
    if (!found) throw new Error(`there is no window ${window}`)
    return found.renderer
  }
  const closePage = async ({ page, renderer }: Open) => {
    const made = await renderer
    made.belongTo(undefined)
    if (page.isClosed()) return
    if (page === first) await forget(page)
    else await page.close()
  }

  return {
    opens,
    problems,
    answers: {
      open(input) {
        const asked = toWindows.open.parse(input)
        open.set(asked.window, openPage(asked))
      },
      async load(input) {
        const { window, url } = toWindows.load.parse(input)
        return (await opened(window)).load(url)
      },
      send(input) {
        const { window, channel, args } = toWindows.send.parse(input)
        // As in Electron, a message sent before the page exists is lost.
        ready.get(window)?.send(channel, args)
      },
      async close(input) {
        const { window } = toWindows.close.parse(input)
        const closing = open.get(window)
        open.delete(window)
        ready.delete(window)
        if (closing) await closePage(await closing)
      },
    },
    async end() {
      const all = [...open.values()]
      open.clear()
      ready.clear()
      for (const each of all) await closePage(await each)
    },
  }
}
