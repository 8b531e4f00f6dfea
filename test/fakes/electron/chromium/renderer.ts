import type { CDPSession, Page, Route } from '@playwright/test'
import { z } from 'zod'
import { createCodec } from './codec'
import { pageOrigin, toApp, toPage } from './origin'
import { wireOf } from './page-wire'
import type { Loaded, Served, toMain } from './questions'
import { binding, newSecret, pageSource, preloadSource, preloadWorld, receiver } from './worlds'

type Frame = z.infer<typeof toMain.invoke>['frame']

/** A page's requests to main. */
export interface MainOfPage {
  fetch(url: string, method: string): Promise<z.infer<typeof Served>>
  invoke(frame: Frame, channel: string, args: unknown[]): Promise<unknown>
  mayNavigate(url: string): Promise<boolean>
  openWindow(url: string): Promise<void>
  preloadError(message: string): void
}

/**
 * A page of Chromium as the content of a window: its files and calls go to main, and its preload runs in an isolated
 * world.
 */
export interface Renderer {
  load(url: string): Promise<z.infer<typeof Loaded>>
  send(channel: string, args: unknown[]): void
  /** Connects another main; undefined disconnects, and requests go unanswered. */
  belongTo(main: MainOfPage | undefined): void
}

const PageMessage = z.discriminatedUnion('tells', [
  z.object({ tells: z.literal('invoke'), id: z.number(), channel: z.string(), args: z.unknown() }),
  z.object({ tells: z.literal('open-window'), url: z.string() }),
  z.object({ tells: z.literal('preload-error'), message: z.string() }),
])

/** What Chromium adds to a world that belongs to a frame. */
const OfFrame = z.object({ frameId: z.string() })

/** `preload`: text of the preload bundle, if the window has one. */
export async function createRenderer(page: Page, preload: string | undefined): Promise<Renderer> {
  const cdp = await page.context().newCDPSession(page)
  const wire = wireOf(page)
  const codec = createCodec()
  let main: MainOfPage | undefined
  let isLoading = false

  await cdp.send('Page.enable')
  await cdp.send('Runtime.enable')
  const { frameTree } = await cdp.send('Page.getFrameTree')
  const worlds = followWorlds(cdp)
  const wanted = followNavigations(cdp, frameTree.frame.id)
  if (preload !== undefined) {
    const secret = newSecret()
    await cdp.send('Runtime.addBinding', { name: binding, executionContextName: preloadWorld })
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source: pageSource(secret) })
    const source = preloadSource(secret, preload)
    await cdp.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: preloadWorld })
  }

  /** Calls the receiver of a world; a world that is gone needs no call. */
  const hand = (world: string, does: 'answered' | 'sent', args: unknown[]) => {
    const call = `function (...args) { globalThis.${receiver}.${does}(...args) }`
    const given = args.map((value) => ({ value }))
    cdp
      .send('Runtime.callFunctionOn', { uniqueContextId: world, functionDeclaration: call, arguments: given })
      .catch(() => undefined)
  }

  cdp.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
    const world = worlds.of(executionContextId)
    if (name !== binding || !world || !main) return
    const told = PageMessage.parse(JSON.parse(payload))
    if (told.tells === 'open-window') main.openWindow(toApp(told.url)).catch(() => undefined)
    else if (told.tells === 'preload-error') main.preloadError(told.message)
    else {
      const { id, channel } = told
      const args = z.array(z.unknown()).parse(codec.decode(told.args))
      for (const call of wire.calls) call(args)
      const frame = {
        origin: toApp(world.origin),
        url: toApp(page.url()),
        isTop: world.frameId === frameTree.frame.id,
      }
      main.invoke(frame, channel, args).then(
        (answer) => hand(world.id, 'answered', [id, true, codec.encode(wire.hearing.answer(args, answer))]),
        (cause: unknown) =>
          hand(world.id, 'answered', [id, false, cause instanceof Error ? cause.message : String(cause)]),
      )
    }
  })

  /**
   * Whether a requested document may be loaded: when requested by us, by a test, or by the page itself where main
   * allows it.
   */
  const isAllowed = async (url: string): Promise<boolean> => {
    if (isLoading || !main) return true
    return !wanted.take(url) || main.mayNavigate(toApp(url))
  }

  await page.route('**', async (route: Route) => {
    const request = route.request()
    const isOurs = request.url().startsWith(`${pageOrigin}/`)
    const isDocument = request.isNavigationRequest() && request.frame() === page.mainFrame()
    if (isDocument && !(await isAllowed(request.url()))) return route.abort('aborted')
    // No other part of the network is in reach: the browser was started that way.
    if (!isOurs) return route.fallback()
    if (!main) return route.abort('failed')
    const served = await main.fetch(toApp(request.url()), request.method()).catch(() => undefined)
    if (!served) return route.abort('failed')
    const { status, headers, body } = served
    return route.fulfill({ status, headers: Object.fromEntries(headers), body: Buffer.from(body) })
  })

  const nowhere = { url: '', origin: 'null' }
  return {
    async load(url) {
      isLoading = true
      try {
        await page.goto(toPage(url))
        const origin = url.startsWith('data:') ? 'null' : toApp(new URL(toPage(url)).origin)
        return { error: null, frame: { url, origin } }
      } catch (cause) {
        return { error: /net::(ERR_\w+)/.exec(String(cause))?.[1] ?? 'ERR_FAILED', frame: nowhere }
      } finally {
        isLoading = false
      }
    },
    send(channel, args) {
      const world = worlds.preloadOf(frameTree.frame.id)
      if (world !== undefined) hand(world, 'sent', [channel, codec.encode([...wire.hearing.event(args)])])
    },
    belongTo(next) {
      main = next
    },
  }
}

/** The isolated worlds of a page, by number; `id` is unique, while numbers restart with every Chromium process. */
function followWorlds(cdp: CDPSession) {
  const worlds = new Map<number, { id: string; frameId: string; origin: string }>()
  cdp.on('Runtime.executionContextCreated', ({ context }) => {
    if (context.name !== preloadWorld) return
    const { frameId } = OfFrame.parse(context.auxData)
    worlds.set(context.id, { id: context.uniqueId, frameId, origin: context.origin })
  })
  cdp.on('Runtime.executionContextDestroyed', ({ executionContextId }) => void worlds.delete(executionContextId))
  cdp.on('Runtime.executionContextsCleared', () => {
    worlds.clear()
  })
  return {
    of: (executionContextId: number) => worlds.get(executionContextId),
    preloadOf: (frameId: string) => [...worlds.values()].find((world) => world.frameId === frameId)?.id,
  }
}

/**
 * A navigation by the page itself: by link, script or reload. Chromium announces it before it requests the document.
 */
function followNavigations(cdp: CDPSession, mainFrame: string) {
  const wanted = new Set<string>()
  cdp.on('Page.frameRequestedNavigation', ({ frameId, url }) => {
    if (frameId === mainFrame) wanted.add(url)
  })
  return { take: (url: string) => wanted.delete(url) }
}
