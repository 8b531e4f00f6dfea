import AxeBuilder from '@axe-core/playwright'
import { type Page, expect } from '@playwright/test'

/** The rules that look at colours: all that a colour scheme can break, for tokens.css changes nothing else by it. */
const colourRules = ['color-contrast', 'link-in-text-block']

const windows = [
  ['light', 1024, 768],
  ['dark', 1920, 1080],
] as const

/** What the accessibility rules find wrong on the page as it is now: all of them, or only those that are named. */
export async function violations(page: Page, rules: string[] = []) {
  // Put there once for every document, and no page of its own to sum up in: there are no frames.
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

/** Expects no accessibility fault on the page as it is now, in the light colours and in the dark ones. Leaves light. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  expect(await violations(page), `${what}, light`).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await violations(page, colourRules), `${what}, dark`).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
}

/** Expects no accessibility fault and no scrolling in the smallest window, and in a large dark one. Leaves the small. */
export async function expectFitting(page: Page, what: string): Promise<void> {
  for (const [colorScheme, width, height] of windows) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await violations(page), `${what}, ${width}x${height}`).toEqual([])
    expect(await isScrollable(page), `${what}, ${width}x${height}`).toBe(false)
  }
  const [[colorScheme, width, height]] = windows
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme })
}
