import AxeBuilder from '@axe-core/playwright'
import { type Page, expect } from '@playwright/test'

/**
 * The color rules. They are all that a color scheme can break, because tokens.css changes only colors between schemes.
 */
const colourRules = ['color-contrast', 'link-in-text-block']

/** All rules in the smallest window; in a large dark one those that colors or the size can break. */
const windows = [
  ['light', 1024, 768, []],
  ['dark', 1920, 1080, [...colourRules, 'scrollable-region-focusable']],
] as const

/** Accessibility violations on the page as it is now: of all rules, or only of the named ones. */
export async function violations(page: Page, rules: string[] = []) {
  // Injected once per document. There are no frames, so axe needs no separate page to merge their results.
  const isThere = await page.evaluate(() => 'axe' in window)
  const axe = new AxeBuilder({ page, ...(isThere && { axeSource: 'undefined' }) }).setLegacyMode()
  axe.options({ resultTypes: ['violations'] })
  if (rules.length > 0) axe.withRules(rules)
  return (await axe.analyze()).violations.map(({ id, nodes }) => ({ id, nodes: nodes.map((node) => node.html) }))
}

/** Whether the page itself, not a list in it, can be scrolled. */
export const isScrollable = (page: Page) =>
  page.evaluate(() => {
    const { scrollHeight, scrollWidth, clientHeight, clientWidth } = document.documentElement
    return scrollHeight > clientHeight || scrollWidth > clientWidth
  })

/** Expects no accessibility violation in the light or the dark scheme. Leaves the light one. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  expect(await violations(page), `${what}, light`).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await violations(page, colourRules), `${what}, dark`).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
}

/**
 * Expects no accessibility violation and no page scrolling in the smallest window, and in a large dark one. Leaves the
 * smallest.
 */
export async function expectFitting(page: Page, what: string): Promise<void> {
  for (const [colorScheme, width, height, rules] of windows) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await violations(page, [...rules]), `${what}, ${width}x${height}`).toEqual([])
    expect(await isScrollable(page), `${what}, ${width}x${height}`).toBe(false)
  }
  const [[colorScheme, width, height]] = windows
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme })
}

/** What is drawn smaller than a finger: every control on the screen that is not inside a larger one. */
export const tooSmall = (page: Page) =>
  page.evaluate(() => {
    const controls = [...document.querySelectorAll<HTMLElement>('button, a[href], [role=tab], input, select, textarea')]
    return (
      controls
        .filter((one) => one.checkVisibility())
        // A box or radio is pressed by its label, and a skip link is out of sight until it has the focus.
        .map((one) => (one.matches('input[type=checkbox], input[type=radio]') ? (one.closest('label') ?? one) : one))
        .map((one) => ({ name: one.getAttribute('aria-label') ?? one.textContent, box: one.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 1 && box.height > 1 && (box.width < 43.5 || box.height < 43.5))
        .map(({ name, box }) => `${name.trim().slice(0, 40)}: ${Math.round(box.width)} x ${Math.round(box.height)}`)
    )
  })
