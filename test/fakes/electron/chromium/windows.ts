import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import type { z } from 'zod'
import type { Answers, Line } from './line'
import { Opened, Served, toWindows } from './questions'
import { type MainOfPage, type Renderer, createRenderer } from './renderer'

/** The pages of one main process. */
export interface Windows {
  /** What main's process may ask. */
  answers: Answers
  /** Every `window.open` of a page, and the addresses that main then gave to the person's own browser. */
  opens: { url: string; outside: string[] }[]
  /** What a spec should have none of: a preload that threw, a window that main would have opened. */
  problems: string[]
  /** Main is gone, and every window with it. */
  end(): Promise<void>
}

interface Open {
  page: Page
  renderer: Promise<Renderer>
}

/** What is injected into a page stays in it: one that gets another main keeps its renderer. */
const renderers = new WeakMap<Page, Promise<Renderer>>()

/** The page is the test's own, which it may open again: as a new window, in which nothing of the session is left. */
async function forget(page: Page): Promise<void> {
  try {
    await page.evaluate(() => {
      sessionStorage.clear()
    })
    await page.goto('about:blank')
  } catch {
    // Closed meanwhile.
  }
}

/** The first window that main opens is `first`; each further one gets a page of its own beside it. `line`: to main. */
export function createWindows(first: Page, line: () => Line): Windows {
  const open = new Map<number, Promise<Open>>()
  /** Of windows whose page is ready for them. */
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
        // Before there is a page to hear it, nothing hears it: as in Electron.
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
