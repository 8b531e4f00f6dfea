/**
 * Which of several pages scans go to. Each of them would act on a scan, and only one is what the person looks at: the one that
 * told last where it is (`scanner.setPlace`, at its start, on another screen and when it gets the focus), or handed a scan in.
 */
export interface FrontPage<Page> {
  /** A page that has said nothing yet: scans go to it only while there is no other. */
  came(page: Page): void
  called(page: Page, call: unknown): void
  left(page: Page): void
  isInFront(page: Page): boolean
}

const signsOfUse = new Set<unknown>(['scanner.setPlace', 'scanner.submit'])

export function createFrontPage<Page>(): FrontPage<Page> {
  /** The one in front is the last. */
  let pages: Page[] = []
  const without = (page: Page) => pages.filter((each) => each !== page)
  return {
    came(page) {
      pages = [page, ...pages]
    },
    called(page, call) {
      if (signsOfUse.has(call)) pages = [...without(page), page]
    },
    left(page) {
      pages = without(page)
    },
    isInFront: (page) => pages.at(-1) === page,
  }
}
