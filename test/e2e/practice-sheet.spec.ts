import type { Page } from '@playwright/test'
import { z } from 'zod'
import { PracticeCode } from '../../src-shared/ipc/contract/app'
import { actionTexts } from '../../src-shared/scan/meaning'
import { expectFitting, violations } from './axe'
import { doctorWire } from './doctored'
import { readCodes } from './read-codes'
import { codes, expect, openSection, test } from './station'

// About 190 dpi on paper: less than any printer's resolution.
test.use({ deviceScaleFactor: 2 })

const kinds: Record<PracticeCode['kind'], string> = { package: 'Code128', case: 'QRCode', tag: 'QRCode' }
const actions = Object.values(actionTexts).map((text) => `QRCode ${text}`)
/** Items that are not sold just like that are printed without their cases. */
const isLeftOut = ({ kind, about, text }: PracticeCode, all: PracticeCode[]) =>
  kind === 'case' && about === 'imported-here' && all.every((one) => one.caseText !== text || one.about !== null)
const readable = (all: PracticeCode[]) =>
  all.filter((one) => !isLeftOut(one, all)).map(({ kind, text }) => `${kinds[kind]} ${text}`)

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Practice sheet' })

interface Opening {
  /** Changes what the page receives from main. */
  alter?: (name: string, said: unknown) => unknown
}

/** Opens the sheet from Settings; returns the practice store's codes as main sent them. */
async function openSheet(page: Page, url: string, { alter = (_name, said) => said }: Opening = {}) {
  let told: PracticeCode[] = []
  await doctorWire(page, (name, said) => {
    const heard = alter(name, said)
    if (name === 'practice.codes') told = z.array(PracticeCode).catch([]).parse(said)
    return heard
  })
  await page.goto(url)
  await page.keyboard.press('F6')
  await openSection(page, 'Scanners')
  await page.getByRole('button', { name: 'Print practice codes' }).click()
  await expect(dialogOf(page)).toBeVisible()
  return () => told
}

/** The whole sheet as printed, at the width between the margins of A4 (186 mm) or Letter (192 mm). */
async function printed(page: Page, colorScheme: 'light' | 'dark' = 'light', width = 703) {
  await toPaper(page, colorScheme, width)
  return page.screenshot({ fullPage: true, animations: 'disabled' })
}

/** The sheet's first page, with codes of every kind. */
async function firstPage(page: Page) {
  await toPaper(page, 'light', 703)
  return page.screenshot({ animations: 'disabled' })
}

async function toPaper(page: Page, colorScheme: 'light' | 'dark', width: number) {
  await page.setViewportSize({ width, height: 1032 })
  await page.emulateMedia({ media: 'print', colorScheme })
}

const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length

/** Not in `npm test`: runs with `npm run test:e2e`, and in CI. */
const long = { tag: '@long' }

test(
  'the printed practice sheet scans as exactly the practice codes and the actions',
  { tag: '@long' },
  async ({ page, station }) => {
    const told = await openSheet(page, station.url)
    await expect(page.getByText('Practice only')).toBeVisible()
    const expected = [...readable(told()), ...actions].sort()
    expect(expected).toContain(`Code128 ${codes.package}`)
    expect(expected).toContain(`QRCode ${codes.oddIdentifier}`)
    for (const [paper, width, colorScheme] of [
      ['A4', 703, 'light'],
      ['Letter', 725, 'dark'],
    ] as const) {
      await test.step(`${paper}, ${colorScheme}`, async () => {
        expect(await readCodes(await printed(page, colorScheme, width))).toEqual(expected)
        expect(pagesOf(await page.pdf({ format: paper }))).toBe(3)
      })
      await test.step('its bars and modules are at least 0.25 mm wide, enough for any scanner', async () => {
        const widths = await page.locator('.paper img').evaluateAll((images) =>
          // Drawn at two units per module; 96 CSS pixels are an inch.
          images.map((image) =>
            image instanceof HTMLImageElement
              ? (image.getBoundingClientRect().width / (image.naturalWidth / 2) / 96) * 25.4
              : 0,
          ),
        )
        expect(widths.length).toBeGreaterThan(30)
        expect(Math.min(...widths)).toBeGreaterThan(0.25)
      })
    }
  },
)

test(
  'a code changed before it is drawn scans as the changed one: the test reads the picture, not the page',
  long,
  async ({ page, station }) => {
    const changed = `${codes.caseToImport.slice(0, -1)}6`
    const told = await openSheet(page, station.url, {
      alter: (name, said) =>
        name === 'practice.codes'
          ? z
              .array(PracticeCode)
              .parse(said)
              .map((code) => (code.text === codes.caseToImport ? { ...code, text: changed } : code))
          : said,
    })
    await expect(page.getByText('Practice only')).toBeVisible()
    const read = await readCodes(await printed(page))
    expect(read).not.toEqual([...readable(told()), ...actions].sort())
    expect(read).toContain(`QRCode ${changed}`)
    expect(read).not.toContain(`QRCode ${codes.caseToImport}`)
  },
)

/** Damage to a printed code, as a style of its picture, and whether some codes remain readable. */
const harms = [
  { harm: 'with its right half covered', style: 'clip-path: inset(0 50% 0 0)', isReadable: false },
  { harm: 'with its left half covered', style: 'clip-path: inset(0 0 0 50%)', isReadable: false },
  { harm: 'with its lower third torn off', style: 'clip-path: inset(0 0 34% 0)', isReadable: true },
  { harm: 'printed at a fifth of its size', style: 'transform: scale(0.2)', isReadable: true },
  { harm: 'printed at a tenth of its size', style: 'transform: scale(0.1)', isReadable: false },
  { harm: 'smeared', style: 'filter: blur(6px)', isReadable: false },
  { harm: 'so pale that it is almost white', style: 'opacity: 0.004', isReadable: false },
  { harm: 'printed upside down', style: 'transform: rotate(180deg)', isReadable: true },
  { harm: 'white on black', style: 'filter: invert(1)', isReadable: true },
]
test('a damaged code scans as itself or not at all, never as another', long, async ({ page, station }) => {
  const told = await openSheet(page, station.url)
  await expect(page.getByText('Practice only')).toBeVisible()
  const right = [...readable(told()), ...actions]
  const unharmed = await readCodes(await firstPage(page))
  expect(new Set(unharmed.map((one) => one.split(' ')[0]))).toEqual(new Set(['Code128', 'QRCode']))
  for (const { harm, style, isReadable } of harms) {
    await test.step(`${harm}: ${isReadable ? 'itself or nothing' : 'nothing'}`, async () => {
      await page.locator('.paper img').evaluateAll((images, css) => {
        for (const image of images) if (image instanceof HTMLImageElement) image.style.cssText = css
      }, style)
      const read = await readCodes(await firstPage(page))
      expect
        .soft(
          read.filter((one) => !right.includes(one)),
          harm,
        )
        .toEqual([])
      if (isReadable) expect.soft(read.length, harm).toBeGreaterThan(0)
      else expect.soft(read, harm).toEqual([])
    })
  }
})

test(
  'the printed action sheet scans as the five actions, on one page of either paper size',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    await counter.settings('Scanners')
    await counter.button('Print action barcodes').click()
    await page.getByRole('img', { name: 'Action barcodes' }).evaluate((image: HTMLImageElement) => image.decode())
    expect(await readCodes(await printed(page, 'dark'))).toEqual([...actions].sort())
    expect(pagesOf(await page.pdf({ format: 'A4' }))).toBe(1)
    expect(pagesOf(await page.pdf({ format: 'Letter' }))).toBe(1)
  },
)

test('describes each code in words', { tag: '@long' }, async ({ page, station }) => {
  await openSheet(page, station.url)
  const sheet = dialogOf(page)
  await expect(sheet.getByRole('heading', { name: 'Green Door, Newark' })).toBeVisible()
  await expect(sheet.getByRole('region', { name: 'Packages' })).toContainText('Package, 56 items')
  const cases = sheet.getByRole('region', { name: 'Cases and some of their items' })
  await expect(cases).toContainText('Case of Blue Dune, 3.5 g')
  await expect(cases).toContainText('Hudson Fields')
  await expect(cases).toContainText('18 of 20 items')
  await expect(cases).toContainText('Already imported by Green Door, Hoboken')
  await expect(cases).toContainText('HF 2026/0417')
  await expect(sheet.getByRole('region', { name: 'Action barcodes' })).toContainText('Remove mode on or off')
})

test('loads the barcode library when the sheet is opened, not before', { tag: '@long' }, async ({ page, station }) => {
  const fetched: string[] = []
  page.on('request', (request) => fetched.push(request.url()))
  await page.goto(station.url)
  await page.keyboard.press('F6')
  await openSection(page, 'Scanners')
  await expect(page.getByRole('button', { name: 'Print practice codes' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  const isSheet = (url: string) => /PracticeSheet.*\.js$/.test(url)
  expect(fetched.filter(isSheet)).toEqual([])
  await page.getByRole('button', { name: 'Print practice codes' }).click()
  await expect(dialogOf(page)).toBeVisible()
  expect(fetched.filter(isSheet)).toHaveLength(1)
  const own = new URL(station.url).origin
  expect(fetched.filter((url) => !url.startsWith(own) && !url.startsWith('data:'))).toEqual([])
})

test(
  'works by keyboard from Settings and from the practice drawer: scrolls, closes, and restores the focus',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    const sheet = dialogOf(page)
    await counter.button('No scanner? Use the practice codes').click()
    const inDrawer = page
      .getByRole('complementary', { name: 'Practice' })
      .getByRole('button', { name: 'Print practice codes' })
    await inDrawer.focus()
    await page.keyboard.press('Enter')
    await expect(sheet.getByText('Practice only')).toBeVisible()
    await page.keyboard.press('Shift+Tab')
    const paper = sheet.getByRole('region', { name: 'Practice sheet' })
    await expect(paper).toBeFocused()
    await page.keyboard.press('End')
    await expect(sheet.getByRole('heading', { name: 'Action barcodes' })).toBeInViewport()
    await expect(sheet.getByRole('button', { name: 'Print' })).toBeInViewport()
    await page.keyboard.press('Escape')
    await expect(sheet).toBeHidden()
    await expect(inDrawer).toBeFocused()
    await page.keyboard.press('Escape')
    await counter.settings('Scanners')
    await counter.button('Print practice codes').press('Enter')
    await expect(sheet.getByText('Practice only')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(counter.button('Print practice codes')).toBeFocused()
  },
)

test('offers the sheet only with the practice profile', { tag: '@long' }, async ({ page, station }) => {
  await doctorWire(page, (_, said) => {
    const status = z.looseObject({ profile: z.looseObject({ kind: z.string() }) }).safeParse(said)
    return status.success ? { ...status.data, profile: { ...status.data.profile, kind: 'test' } } : said
  })
  await page.goto(station.url)
  await page.keyboard.press('F6')
  await openSection(page, 'Scanners')
  await expect(page.getByRole('button', { name: 'Print action barcodes' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Print practice codes' })).toBeHidden()
})

test('says that there are no codes, and offers nothing to print', { tag: '@long' }, async ({ page, station }) => {
  await openSheet(page, station.url, { alter: (name, said) => (name === 'practice.codes' ? [] : said) })
  await expect(dialogOf(page)).toContainText('The practice store has no codes')
  await expect(dialogOf(page).getByRole('button', { name: 'Print' })).toBeHidden()
  expect(await violations(page)).toEqual([])
})

test('says why the codes can’t be loaded, and tries again', { tag: '@long' }, async ({ page, station }) => {
  let isBroken = true
  await openSheet(page, station.url, {
    alter: (name, said) => (name === 'practice.codes' && isBroken ? ['no code at all'] : said),
  })
  await expect(dialogOf(page).getByRole('alert')).toBeVisible()
  await expect(dialogOf(page).getByRole('button', { name: 'Print' })).toBeHidden()
  expect(await violations(page)).toEqual([])
  isBroken = false
  await dialogOf(page).getByRole('button', { name: 'Try again' }).click()
  await expect(dialogOf(page).getByText('Practice only')).toBeVisible()
})

test(
  'fits a small and a large window, light and dark, in Spanish too, without an accessibility violation',
  { tag: '@long' },
  async ({ counter }) => {
    const { page } = counter
    await counter.settings('Scanners')
    await counter.button('Print practice codes').click()
    await expect(page.getByText('Practice only')).toBeVisible()
    await expectFitting(page, 'sheet')
    await page.keyboard.press('Escape')
    await openSection(page, 'This station')
    await page.getByText('Español').click()
    await page.getByRole('button', { name: 'Escáneres' }).click()
    await page.getByRole('button', { name: 'Imprimir códigos de práctica' }).click()
    await expect(page.getByText('Solo práctica')).toBeVisible()
    await expect(page.getByText('Ya importada por Green Door, Hoboken')).toBeAttached()
    await expectFitting(page, 'hoja')
  },
)
