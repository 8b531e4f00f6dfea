import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** What the accessibility rules find wrong on the page as it is now. */
export const violations = async (page: Page) =>
  (await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => ({
    id,
    nodes: nodes.map((node) => node.html),
  }))

/** Whether the page itself, not a list in it, can be scrolled. */
export const isScrollable = (page: Page) =>
  page.evaluate(() => {
    const { scrollHeight, scrollWidth, clientHeight, clientWidth } = document.documentElement
    return scrollHeight > clientHeight || scrollWidth > clientWidth
  })
