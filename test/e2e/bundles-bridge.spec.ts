import { type Page, test as base, expect } from '@playwright/test'
import { type MainOfPage, createRenderer } from '../fakes/electron/chromium/renderer'

/** A separate page with the test's own preload: compares the fake's context bridge with what Electron documents. */
const preload = `
const { contextBridge, ipcRenderer } = require('electron')
class Till { constructor() { this.number = 4 } open() {} }
const log = []
globalThis.inPreload = 'here'
contextBridge.exposeInMainWorld('api', {
  text: 'a', flag: true, none: null, nested: { list: [1, 'b', { deep: () => 'called' }] },
  add: (a, b) => a + b,
  later: async (value) => value,
  fails: () => { throw Object.assign(new RangeError('too far'), { secret: 1 }) },
  throwsText: () => { throw 'only a text' },
  rejects: () => Promise.reject(new RangeError('not now')),
  till: () => new Till(),
  when: () => new Date(5),
  bytes: () => new Uint8Array([1, 2, 3]),
  node: () => document.documentElement,
  symbol: () => ({ kept: 1, [Symbol('x')]: 2, gone: Symbol('y') }),
  describe: (value) => Object.prototype.toString.call(value) + ' ' + (Object.getPrototypeOf(value) === Object.prototype),
  callBack: (back) => back({ from: 'preload' }),
  same: (back) => back,
  keep: (text) => { log.push(text) },
  kept: () => log,
  depth: (value) => { let at = 0; while (value) { value = value.in; at += 1 } return at },
  invoke: (...args) => ipcRenderer.invoke('channel', ...args),
  on: (listener) => { ipcRenderer.on('news', (event, ...args) => listener(...args)) },
  requires: (name) => { require(name) },
  exposesAgain: () => contextBridge.exposeInMainWorld('api', {}),
})`

const html = '<!doctype html><title>page</title><body></body>'

interface Parts {
  invoked: unknown[][]
  send: (channel: string, args: unknown[]) => void
}

const test = base.extend<{ parts: Parts }>({
  parts: async ({ page }, use) => {
    const invoked: unknown[][] = []
    const main: MainOfPage = {
      fetch: () =>
        Promise.resolve({
          status: 200,
          headers: [['content-type', 'text/html']],
          body: new TextEncoder().encode(html),
        }),
      invoke(frame, channel, args) {
        invoked.push([frame, channel, ...args])
        if (args[0] === 'refuse') return Promise.reject(new Error("Error invoking remote method 'channel': Error: no"))
        return Promise.resolve(args[0])
      },
      mayNavigate: () => Promise.resolve(true),
      openWindow: () => Promise.resolve(),
      preloadError: () => undefined,
    }
    const renderer = await createRenderer(page, preload)
    renderer.belongTo(main)
    expect(await renderer.load('app://countertag/')).toEqual({
      error: null,
      frame: { url: 'app://countertag/', origin: 'app://countertag' },
    })
    await use({ invoked, send: (channel, args) => renderer.send(channel, args) })
  },
})

// Every test looks at the opened page.
test.beforeEach(({ parts: _parts }) => undefined)

/** Evaluates in the page's own world, which has `api`. */
const run = (page: Page, expression: string): Promise<unknown> => page.evaluate(expression)

test("the page's world has the exposed API, frozen, and nothing else of the preload", async ({ page }) => {
  expect(await run(page, '[api.text, api.flag, api.none, api.nested.list[1]]')).toEqual(['a', true, null, 'b'])
  expect(await run(page, 'Object.isFrozen(api) && Object.isFrozen(api.nested.list) && Object.isFrozen(api.add)')).toBe(
    true,
  )
  expect(await run(page, "(() => { 'use strict'; try { window.api = 1 } catch (e) { return e.name } })()")).toBe(
    'TypeError',
  )
  expect(
    await run(page, "['require', 'module', 'process', 'inPreload', 'ipcRenderer'].filter((name) => name in window)"),
  ).toEqual([])
  expect(await run(page, 'Object.getOwnPropertyNames(window).filter((name) => /electron|fake/i.test(name))')).toEqual(
    [],
  )
  expect(await run(page, '(() => { try { api.exposesAgain() } catch (e) { return e.message } })()')).toContain(
    'Cannot bind an API on top of an existing property',
  )
})

test('functions are proxied both ways, and a function that returns to its world is the original', async ({ page }) => {
  expect(await run(page, 'api.add(1, 2)')).toBe(3)
  expect(await run(page, 'api.nested.list[2].deep()')).toBe('called')
  expect(await run(page, 'api.callBack(({ from }) => from + " and back")')).toBe('preload and back')
  expect(await run(page, '(() => { const own = () => 1; return api.same(own) === own })()')).toBe(true)
  expect(await run(page, 'api.same(api.add) === api.add')).toBe(true)
})

test('objects are copied without prototypes, promises are followed, and errors keep only their message', async ({
  page,
}) => {
  expect(await run(page, '[api.till().number, typeof api.till().open, api.till().constructor === Object]')).toEqual([
    4,
    'undefined',
    true,
  ])
  expect(await run(page, 'class Own { x = 1 }; api.describe(new Own())')).toBe('[object Object] true')
  expect(
    await run(
      page,
      'api.later({ a: [undefined, NaN] }).then(({ a }) => [a.length, a[0] === undefined, Number.isNaN(a[1])])',
    ),
  ).toEqual([2, true, true])
  expect(
    await run(
      page,
      '(() => { try { api.fails() } catch (e) { return [e.name, e.message, "secret" in e, e instanceof Error] } })()',
    ),
  ).toEqual(['Error', 'too far', false, true])
  expect(await run(page, '(() => { try { api.throwsText() } catch (e) { return e.message } })()')).toContain(
    'An unknown exception occurred',
  )
  expect(await run(page, 'api.rejects().catch((e) => [e.name, e.message])')).toEqual(['Error', 'not now'])
  expect(await run(page, '[api.when() instanceof Date, api.when().getTime(), [...api.bytes()]]')).toEqual([
    true,
    5,
    [1, 2, 3],
  ])
  expect(await run(page, 'Reflect.ownKeys(api.symbol()).map(String)')).toEqual(['kept'])
})

test('refuses what cannot be copied: elements, values that structured clone refuses, and more than 1000 levels', async ({
  page,
}) => {
  const refusal = (call: string) =>
    run(page, `(() => { try { ${call}; return 'taken' } catch (e) { return e.message } })()`)
  expect(await refusal('api.node()')).toContain('could not be cloned')
  expect(await refusal('api.keep(document.body)')).toContain('could not be cloned')
  expect(await refusal('api.keep(new WeakMap())')).toContain('could not be cloned')
  expect(await refusal('api.keep(new Map([[1, () => 1]]))')).toContain('could not be cloned')
  const nested = (levels: number) => `let value = null; for (let i = 0; i < ${levels}; i += 1) value = { in: value };`
  expect(await run(page, `(() => { ${nested(999)} return api.depth(value) })()`)).toBe(999)
  expect(await refusal(`${nested(1001)} api.keep(value)`)).toContain('recursion depth exceeded')
  expect(await refusal('const ring = {}; ring.in = ring; api.keep(ring)')).toContain('recursion depth exceeded')
  expect(await run(page, 'api.kept()')).toEqual([])
})

test('calls reach main from the frame that Chromium names, and values keep their types both ways', async ({
  page,
  parts,
}) => {
  expect(
    await run(
      page,
      `api.invoke({ a: undefined, b: [1n, -0, Infinity], c: new Date(7), d: new Uint16Array([1, 2]), e: new Set(['x']) }).then(
        ({ a, b, c, d, e }) => [a === undefined, String(b[0]), Object.is(b[1], -0), b[2] === Infinity, c.getTime(), [...d], d.constructor.name, e.has('x')])`,
    ),
  ).toEqual([true, '1', true, true, 7, [1, 2], 'Uint16Array', true])
  expect(parts.invoked).toEqual([
    [
      { origin: 'app://countertag', url: 'app://countertag/', isTop: true },
      'channel',
      { a: undefined, b: [1n, -0, Infinity], c: new Date(7), d: new Uint16Array([1, 2]), e: new Set(['x']) },
    ],
  ])
  expect(await run(page, "api.invoke('refuse').catch((e) => e.message)")).toBe(
    "Error invoking remote method 'channel': Error: no",
  )
  expect(await run(page, '(() => { try { api.invoke(/x/) } catch (e) { return e.message } })()')).toContain(
    'could not be cloned',
  )
  expect(parts.invoked).toHaveLength(2)
})

test('events from main arrive in order, and a preload may require nothing but electron', async ({ page, parts }) => {
  await run(page, 'globalThis.heard = []; api.on((...args) => heard.push(args))')
  for (let at = 0; at < 20; at += 1) parts.send('news', [at, { at }])
  parts.send('other', ['nothing'])
  await expect
    .poll(() => run(page, 'heard.map(([at, { at: same }]) => at === same && at)'))
    .toEqual([...Array(20).keys()])
  expect(await run(page, "(() => { try { api.requires('node:fs') } catch (e) { return e.message } })()")).toBe(
    'module not found: node:fs',
  )
})

test('a frame inside the page has no preload', async ({ page }) => {
  await run(page, "document.body.append(Object.assign(document.createElement('iframe'), { srcdoc: 'x' }))")
  await expect.poll(() => page.frames().length).toBe(2)
  const inFrame = page.frames()[1]
  expect(await inFrame?.evaluate("'api' in window")).toBe(false)
})
