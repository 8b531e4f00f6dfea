import { pageOrigin } from '../fakes/electron/chromium/origin'
import { codes, expect, test } from './station'

/** What the other specs don't cover: the boundary between a real page and the built main and preload bundles. */

test('the page gets two functions from Electron, and a call outside the contract is refused', async ({ counter }) => {
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

test('the headers of app:// block inline scripts and every other host', async ({ page, station }) => {
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

test('the page cannot navigate by script or link, and opens no window', async ({ counter, station, context }) => {
  const { page } = counter
  // A page would be found there.
  await context.route('https://evil.example/**', (route) => route.fulfill({ body: 'elsewhere' }))
  const failed: unknown[] = []
  page.on('requestfailed', (request) => failed.push([request.url(), request.failure()?.errorText]))
  await page.evaluate(() => {
    location.assign('https://evil.example/by-script')
  })
  await expect.poll(() => failed).toEqual([['https://evil.example/by-script', 'net::ERR_ABORTED']])
  await page.evaluate(() => {
    Object.assign(document.createElement('a'), { href: 'https://evil.example/by-link' }).click()
  })
  await expect.poll(() => failed).toContainEqual(['https://evil.example/by-link', 'net::ERR_ABORTED'])
  expect(await page.evaluate(() => window.open('https://evil.example/window'))).toBeNull()
  await expect.poll(station.opens ?? (() => [])).toEqual([{ url: 'https://evil.example/window', outside: [] }])
  expect(context.pages()).toEqual([page])
  expect(page.url()).toBe(`${pageOrigin}/`)
  await expect(page.getByText('Ready to scan')).toBeVisible()
})

test('an address that main gave to the page opens outside the app after a confirmation', async ({
  counter,
  station,
  context,
}) => {
  const { page } = counter
  await counter.go('Find')
  await counter.scan(codes.itemsHere[0] ?? '')
  await page.getByRole('region', { name: 'What is known of it' }).getByRole('heading', { name: 'Certificates' }).click()
  await page
    .getByRole('button', { name: /^Certificate: / })
    .first()
    .click()
  await page.getByRole('button', { name: 'Open the certificate' }).first().click()
  const dialog = page.getByRole('dialog')
  const address = await dialog.locator('.address').innerText()
  expect(address).toMatch(/^https:/)
  await dialog.getByRole('button', { name: 'Open in the browser' }).click()
  await expect.poll(station.opens ?? (() => [])).toEqual([{ url: address, outside: [address] }])
  expect(context.pages()).toEqual([page])
})
