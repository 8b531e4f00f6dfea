import type { Locator, Page } from '@playwright/test'
import { expectAccessible, isScrollable } from './axe'
import { doctorWire } from './doctored'
import { steadily } from '../fakes/key-traces/play'
import { RealKeyboard } from './real-keyboard'
import { Counter, codes, expect, idIn, test } from './station'

const [here = '', sold = ''] = codes.itemsHere
/** An item of the company that the practice profile's account belongs to. */
const ownCase = 'https://tag.example/case/XUE3ZUVASCi3bUKjbNTXd7'
const field = 'Scan or type: item, case, package, product, order'
const pane = (page: Page) => page.getByRole('region', { name: 'What is known of it' })
const titled = (page: Page, name: string | RegExp) => pane(page).getByRole('heading', { level: 2, name })
const link = (page: Page, kind: string) =>
  pane(page)
    .getByRole('button', { name: new RegExp(`^${kind}: `) })
    .first()

/** For keyboard users, focus stays where the action was, not at the top of the page. */
const expectFocusKept = (page: Page, where: Locator = pane(page)) =>
  expect(where.locator(':focus').or(where.and(page.locator(':focus')))).toHaveCount(1)

async function look(page: Page, what: string) {
  await expectAccessible(page, what)
  expect(await isScrollable(page), what).toBe(false)
}

test(
  'opens a scanned code, and links each kind of entity to the others and back',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    await counter.go('Find')
    await expect(page.getByRole('heading', { name: 'Scan anything' })).toBeVisible()
    await look(page, 'find, empty')

    await counter.scan(here)
    await expect(counter.strip).toContainText('Item: Palisades Pre-Roll, 1 g')
    await expect(pane(page)).toContainText(idIn(here))
    await look(page, 'find, an item')
    const kinds: [string, RegExp][] = [
      ['Product', /Palisades Pre-Roll/],
      ['Batch', /HFPA1-26014/],
    ]
    for (const [kind, name] of kinds) {
      await link(page, kind).press('Enter')
      await expect(titled(page, name)).toBeVisible()
      await expectFocusKept(page)
      await look(page, `find, ${kind}`)
      if (kind === 'Product') await expect(link(page, 'Batch')).toContainText('HFPA1-26014')
      if (kind === 'Product') await page.keyboard.press('Alt+ArrowLeft')
    }
    // A certificate without a fault is folded, with how many there are.
    await expect(link(page, 'Certificate')).toBeHidden()
    await pane(page).getByRole('heading', { name: 'Certificates' }).click()
    await link(page, 'Certificate').click()
    await expect(pane(page)).toContainText('Cannabinoid potency: pass')
    await expect(pane(page)).toContainText('Homogeneity: not tested')
    await expect(pane(page).getByRole('table', { name: 'Cannabinoids' })).toBeVisible()
    await expect(pane(page)).toContainText(/No values given: .*Pesticides/)
    await look(page, 'find, a certificate')

    await page.keyboard.press('Escape')
    await expect(titled(page, 'HFPA1-26014')).toBeVisible()
    await page.keyboard.press('Alt+ArrowRight')
    await expect(pane(page)).toContainText('Cannabinoid potency: pass')

    await counter.scan(codes.oddIdentifier)
    await expect(titled(page, 'Case of Hudson Ground, 7 g')).toBeVisible()
    await expect(pane(page)).toContainText('HF 2026/0417')
    await look(page, 'find, a case')
    await counter.scan(codes.package)
    await expect(pane(page)).toContainText('Case of Blue Dune, 3.5 g')
    await look(page, 'find, a package')
    // The package's first fact is the package itself; the case links to the package, and the package to its cases.
    await counter.scan(codes.oddIdentifier)
    await pane(page).getByRole('button', { name: /^1A4/ }).first().click()
    await expect(titled(page, 'Package')).toBeVisible()
    await counter.scan(codes.unknownItem)
    await expect(counter.strip).toHaveText(/does not know|Nothing is known/)
    // The entity that was open before is not taken for the scanned one.
    await counter.typeCode('no such thing')
    await expect(pane(page)).toContainText('No information found')
    await look(page, 'find, nothing')
  },
)

test(
  'opens a code that is scanned into the search field, even with a slow service',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    const keys = await RealKeyboard.plugIn(page)
    await counter.go('Find')
    await expect(counter.field(field)).toBeFocused()
    // Longer than the search-as-you-type pause: that search must not overtake the scan.
    await station.knobs.setFaults({ rules: [{ kind: 'latency', ms: 800 }] })
    // A bare ID doesn't name its type: it is searched for, and opened as the only match.
    await keys.type(steadily(`${idIn(codes.caseToImport)}\n`, { gap: 8, held: 3 }))
    await expect(counter.strip).toContainText('Collection: Case of Blue Dune')
    await expect(titled(page, /^Case of Blue Dune/)).toBeVisible()
  },
)

test('keeps scan order while the screen is still loading', async ({ counter }) => {
  const { page } = counter
  let fetchOn: () => void = () => undefined
  const held = new Promise<void>((resolve) => (fetchOn = resolve))
  await page.route(/\/screen-[^/]*\.js$/, async (route) => {
    await held
    await route.fallback()
  })
  await page.reload()
  await expect(counter.strip).toContainText('Ready to scan')
  await counter.go('Find')
  const scans = [...codes.itemsHere, ...codes.itemsToImport]
  for (const code of scans) await counter.scan(code)
  await expect(counter.strip).toContainText(`${scans.length} scans here`)
  fetchOn()
  await expect(pane(page)).toContainText(idIn(scans.at(-1) ?? ''))
  for (const code of scans.slice(0, -1).reverse()) {
    await page.keyboard.press('Alt+ArrowLeft')
    await expect(pane(page)).toContainText(idIn(code))
  }
})

test(
  'finds by name with the keyboard alone, shows orders in Orders, and shows how old the data is',
  { tag: '@long' },
  async ({ counter, station }) => {
    const { page } = counter
    await counter.go('Checkout')
    await counter.sell('10482', [sold])
    await expect(page.getByText(/Order 10482 reported/)).toBeVisible()
    await counter.go('Find')
    await counter.scan(sold)
    await expect(pane(page)).toContainText('Sold by this station')
    await expect(pane(page)).toContainText('Sale: order 10482')

    await counter.field(field).fill('palisades')
    await expect(page.getByText(/^\d+ match/)).toBeAttached()
    await counter.field(field).press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(titled(page, /Palisades/)).toBeVisible()
    await counter.field(field).fill('10482')
    await counter.field(field).press('Enter')
    await expect(page.getByRole('region', { name: 'Order 10482', exact: true })).toBeVisible()

    await station.knobs.setFaults({ offline: true })
    await counter.go('Find')
    await counter.scan(sold)
    await expect(pane(page)).toContainText(/No connection\. As of .*(just now|ago)/)
    await look(page, 'find, offline')
  },
)

/** Each description would run, load, send or draw something; `kept` is the text that may be shown. */
const hostile: { html: string; kept: string }[] = [
  { html: '<script>window.hit = 1</script>one', kept: 'one' },
  { html: '<img src="x" onerror="window.hit = 2">two', kept: 'two' },
  { html: '<img src="https://evil.example/pixel.png">three', kept: 'three' },
  { html: '<p onclick="window.hit = 4" style="position:fixed;inset:0">four</p>', kept: 'four' },
  {
    html: '<svg onload="window.hit = 5"><a xlink:href="javascript:window.hit=5"><text>x</text></a></svg>five',
    kept: 'five',
  },
  { html: '<iframe src="https://evil.example/"></iframe>six', kept: 'six' },
  { html: '<form action="https://evil.example/"><input name="pin"><button>Send</button></form>seven', kept: 'seven' },
  { html: '<style>body { display: none }</style>eight', kept: 'eight' },
  {
    html: '<link rel="stylesheet" href="https://evil.example/a.css"><meta http-equiv="refresh" content="0">nine',
    kept: 'nine',
  },
  { html: '<a href="javascript:window.hit=10">ten</a>', kept: 'ten' },
  { html: '<a href="http://plain.example/">eleven</a>', kept: 'eleven' },
  { html: '<a href="https://tag.example@evil.example/">twelve</a>', kept: 'twelve' },
  {
    html: '<math><mtext><table><mglyph><style><img src=x onerror="window.hit=13"></style></table></mtext></math>thirteen',
    kept: 'thirteen',
  },
  {
    html: '<video src="https://evil.example/v"></video><object data="https://evil.example/o"></object>fourteen',
    kept: 'fourteen',
  },
  { html: '<div id="app" name="body" class="frame" data-x="1">fifteen</div>', kept: 'fifteen' },
]

test(
  'shows a third-party description as plain text, and asks before an address leaves the app',
  { tag: '@long' },
  async ({ page, station, context }) => {
    const asked: string[] = []
    // The test lets nothing leave the machine: requests to outside are answered here, and recorded.
    await context.route(/^https?:\/\/(?!127\.0\.0\.1)/, (route) => {
      asked.push(route.request().url())
      return route.fulfill({ body: '' })
    })
    const html = `${hostile.map(({ html }) => `<div>${html}</div>`).join('')}<h1>Good <b>words</b></h1>
    <a href="https://laboratory.example/reports/1" target="_top">tag.example</a>`
    const noAccount = { part: 'catalogue', reason: { code: 'service/credentials-missing' } }
    await doctorWire(page, (name, said) => {
      const isProduct = name === 'find.entity' && typeof said === 'object' && said !== null && 'descriptionHtml' in said
      return isProduct ? { ...said, descriptionHtml: html, missing: [noAccount] } : said
    })
    await page.goto(station.url)
    await expect(page.getByText('Ready to scan')).toBeVisible()
    const counter = new Counter(page)
    await counter.go('Find')
    await counter.scan(here)
    await link(page, 'Product').click()
    const shown: Locator = page.locator('.foreign')
    await expect(shown).toContainText('Good words')
    await expect(pane(page)).toContainText('Our company’s catalog entry is missing.')
    for (const { kept } of hostile) await expect(shown).toContainText(kept)
    const names = await shown.evaluate((box) => [
      ...new Set([...box.querySelectorAll('*')].map(({ tagName }) => tagName)),
    ])
    expect(names.sort()).toEqual(['B', 'BUTTON', 'DIV', 'P'])
    const attributes = await shown.evaluate((box) =>
      [...box.querySelectorAll('*')].flatMap((element) => element.getAttributeNames()),
    )
    expect([...new Set(attributes)].sort()).toEqual(['class', 'type'])
    expect(await page.evaluate(() => 'hit' in window)).toBe(false)
    await expect(shown.getByRole('button')).toHaveCount(1)
    await look(page, 'find, a hostile description')

    await shown.getByRole('button', { name: 'tag.example' }).click({ button: 'middle' })
    await shown.getByRole('button', { name: 'tag.example' }).click()
    const dialog = page.getByRole('dialog', { name: 'Open laboratory.example?' })
    await expect(dialog).toContainText('https://laboratory.example/reports/1')
    await look(page, 'find, leaving')
    await dialog.getByRole('button', { name: 'Stay here' }).click()
    expect(asked).toEqual([])
    await shown.getByRole('button', { name: 'tag.example' }).click()
    const address = 'https://laboratory.example/reports/1'
    if (station.host === 'browser') {
      const opened = context.waitForEvent('page')
      await dialog.getByRole('button', { name: 'Open in the browser' }).click()
      await opened
      await expect.poll(() => asked).toEqual([address])
    } else {
      await dialog.getByRole('button', { name: 'Open in the browser' }).click()
      // This address was inserted behind main, which opens only addresses that it gave to the page itself.
      await expect.poll(station.opens ?? (() => [])).toEqual([{ url: address, outside: [] }])
      expect(asked).toEqual([])
    }
  },
)

test(
  'changes the contents of a case and undoes it, removes and restores a collection, and explains a refusal',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    await counter.go('Find')
    await counter.scan(here)
    await counter.scan(ownCase)
    const takeOut = counter.button(/^Remove item /).first()
    const item = /\S+$/.exec((await takeOut.getAttribute('aria-label')) ?? '')?.[0] ?? ''
    await takeOut.press('Enter')
    await counter.approval()
    await expect(pane(page).getByRole('heading', { name: '1 item removed' })).toBeVisible()
    await expectFocusKept(page)
    await expect(pane(page).getByText('Reported', { exact: true }).first()).toBeVisible()
    // What is being read doesn't fold once its report is settled.
    const reports = pane(page).getByRole('region', { name: 'Reports of this station' })
    await expect(reports.getByText('Reported', { exact: true })).toBeVisible()
    await expect(reports.getByText('Remove item from case').first()).toBeVisible()
    await look(page, 'find, an item taken out')
    await counter
      .button(/^Undo: Remove item from case/)
      .first()
      .press('Enter')
    await counter.approval()
    await expect(pane(page).getByRole('heading', { name: '1 item removed' })).toBeHidden()
    await expectFocusKept(page)

    await counter.button('Add items').press('Enter')
    await expectFocusKept(page, pane(page).getByRole('group', { name: 'Add items' }))
    await counter.scan(`https://tag.example/${item}`)
    await expect(counter.strip).toContainText('It is in this collection already')
    await counter.scan(here)
    await expect(pane(page)).toContainText('1 scanned')
    // The app has read it before, so its name is known.
    const added = pane(page)
      .getByRole('listitem')
      .filter({ hasText: idIn(here) })
    await expect(added).toContainText('Palisades Pre-Roll, 1 g')
    await look(page, 'find, adding items')
    await page.keyboard.press('Escape')
    const dropping = page.getByRole('dialog', { name: 'Drop 1 scanned item?' })
    await dropping.getByRole('button', { name: 'Keep adding' }).press('Enter')
    await counter.button(/^Add 1 item$/).press('Enter')
    await counter.approval()
    await expect(pane(page)).toContainText('Add 1 item to a case')
    await expectFocusKept(page)

    // A list that the service refused stays open for correction.
    await counter.button('Add items').click()
    await counter.scan(codes.unknownItem)
    await counter.button(/^Add 1 item$/).click()
    await counter.approval()
    await expect(pane(page)).toContainText(`Nothing was added, because of: ${idIn(codes.unknownItem)}.`)
    await look(page, 'find, a list that was refused')
    await counter.button('Correct the list').press('Enter')
    await expect(
      pane(page)
        .getByRole('listitem')
        .filter({ hasText: idIn(codes.unknownItem) }),
    ).toContainText('Refused')
    await look(page, 'find, a list being corrected')
    // A refused list was kept, so the screen closes without a confirmation.
    await counter.button('Leave').press('Enter')
    await expect(counter.button('Correct the list')).toBeVisible()
    await expectFocusKept(page)

    await counter.button(/^Remove collection$/).press('Enter')
    await expect(page.getByRole('dialog', { name: /^Remove / })).toContainText('its items stay')
    await counter.approval()
    await expect(pane(page)).toContainText('This collection was removed.')
    await expectFocusKept(page)
    await counter.button('Removed collections').click()
    const list = page.locator('.list')
    await expect(counter.button(/^Restore Case of House Flower/)).toBeVisible()
    await look(page, 'find, removed collections')
    await counter.button(/^Restore Case of House Flower/).press('Enter')
    await counter.approval()
    await expect(pane(page).getByRole('button', { name: 'Remove collection', exact: true })).toBeVisible()
    await expectFocusKept(page, list)
    await expect(list).toContainText('Restore collection')
    await look(page, 'find, a collection restored in the list')
    // The removal can't be undone any more: the collection has been restored since.
    await expect(pane(page)).toContainText('Restore collection')
    await expect(counter.button(/^Undo: Remove collection/)).toHaveCount(0)
    // Removed again, it can be restored again.
    await counter.button(/^Remove collection$/).click()
    await counter.approval()
    await expect(pane(page)).toContainText('This collection was removed.')
    await counter.button(/^Restore Case of House Flower/).click()
    await counter.approval()
    await expect(pane(page).getByRole('button', { name: 'Remove collection', exact: true })).toBeVisible()

    await counter.scan(codes.byStranger)
    await expect(titled(page, /Foundry Live Rosin/)).toBeVisible()
    await counter.button(/^Remove collection$/).click()
    await counter.approval()
    await expect(pane(page)).toContainText('This collection belongs to another company.')
    await look(page, 'find, a refusal')

    // The entity that says where items were grown can't be removed.
    await counter.typeCode('GREEN-DOOR-2026-07')
    await expect(titled(page, /harvest of July 2026/)).toBeVisible()
    await counter.button(/^Remove collection$/).click()
    await counter.approval()
    await expect(pane(page)).toContainText('This is a collection of origin.')

    // With several products, one must be chosen; an unknown package is refused in its field.
    await counter.scan(codes.twoProducts)
    await counter.button('Add to a package').click()
    await counter.field('Regulator ID of the package').fill('NO SUCH PACKAGE')
    await expect(pane(page).getByText('Which product is it?')).toBeVisible()
    await expect(counter.button('Add this case')).toBeDisabled()
    await pane(page).getByRole('radio').first().check({ force: true })
    await counter.button('Add this case').click()
    await counter.approval()
    await expect(pane(page)).toContainText('The service does not know NO SUCH PACKAGE.')
    await look(page, 'find, an unknown package')
  },
)
