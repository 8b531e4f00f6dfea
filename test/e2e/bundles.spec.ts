import { pageOrigin } from '../fakes/electron/chromium/origin'
import { expect, test } from './station'

/** What the specs of the counter don't look at: the doors between a real page and the built main and preload bundles. */

test('the page has two functions of Electron, and a call that is not in the contract is refused', async ({
  counter,
}) => {
  const { page } = counter
  const has = await page.evaluate(() => ({
    wire: Object.keys(window.countertag ?? {}),
    isFrozen: Object.isFrozen(window.countertag),
    others: ['require', 'process', 'module', 'Buffer'].filter((name) => name in window),
  }))
  expect(has).toEqual({ wire: ['invoke', 'subscribe'], isFrozen: true, others: [] })
  const answer = await page.evaluate(() => window.countertag?.invoke('files.read', '/etc/passwd'))
  expect(answer).toMatchObject({ ok: false })
})

test('the headers of app:// hold: no script in the page itself, and nothing of another host', async ({
  page,
  station,
}) => {
  const fetched: string[] = []
  page.on('response', (response) => fetched.push(new URL(response.url()).origin))
  await page.goto(station.url)
  await expect(page.getByText('Ready to scan')).toBeVisible()
  await page.evaluate(async () => {
    const refused: string[] = []
    Reflect.set(window, 'refused', refused)
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => refused.push(effectiveDirective))
    document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.hit = 1' }))
    document.body.append(Object.assign(document.createElement('img'), { src: 'https://evil.example/pixel.png' }))
    document.body.append(Object.assign(document.createElement('iframe'), { src: 'https://evil.example/' }))
    await fetch('https://evil.example/data').catch(() => undefined)
  })
  await expect
    .poll(() => page.evaluate('[...new Set(window.refused)].sort()'))
    .toEqual(['connect-src', 'frame-src', 'img-src', 'script-src-elem'])
  expect(await page.evaluate("'hit' in window")).toBe(false)
  expect([...new Set(fetched)]).toEqual([pageOrigin])
})

test('the page goes nowhere, neither by a script nor by a link, and opens no window', async ({
  counter,
  station,
  context,
}) => {
  const { page } = counter
  const aborted = page.waitForEvent('requestfailed', (request) => request.url() === 'https://evil.example/by-script')
  await page.evaluate(() => location.assign('https://evil.example/by-script'))
  await aborted
  const link = page.waitForEvent('requestfailed', (request) => request.url() === 'https://evil.example/by-link')
  await page.evaluate(() => {
    Object.assign(document.createElement('a'), { href: 'https://evil.example/by-link' }).click()
  })
  await link
  expect(await page.evaluate(() => window.open('https://evil.example/window'))).toBeNull()
  await expect.poll(station.opens ?? (() => [])).toEqual([{ url: 'https://evil.example/window', outside: [] }])
  expect(context.pages()).toEqual([page])
  expect(page.url()).toBe(`${pageOrigin}/`)
  await expect(page.getByText('Ready to scan')).toBeVisible()
})
