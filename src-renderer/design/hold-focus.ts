const canHaveFocus = 'button:not(:disabled), input:not(:disabled), select:not(:disabled), a[href], [tabindex]'

/**
 * Keeps the keyboard at its place when what had the focus goes or is disabled, as the button of a thing that was just
 * done: whatever is left of its surroundings gets the focus, and never the top of the page. For `{@attach}`.
 */
export function holdFocus(screen: HTMLElement): () => void {
  let last: HTMLElement | null = null
  /** What was around it then, the nearest first: once it is off the page, nothing tells any more. */
  let around: HTMLElement[] = []

  const onfocusin = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return
    last = target
    around = surroundings(target, screen)
  }
  const onpointerdown = () => {
    // What is pressed gets the focus next; whoever presses beside it wants none.
    last = null
  }
  const observer = new MutationObserver(() => {
    if (!last || isUsable(last) || document.activeElement !== document.body) return
    const next = around.map(placeIn).find((place) => place !== null)
    last = null
    next?.focus({ preventScroll: true })
  })

  screen.addEventListener('focusin', onfocusin)
  screen.addEventListener('pointerdown', onpointerdown)
  observer.observe(screen, { subtree: true, childList: true, attributes: true, attributeFilter: ['disabled'] })
  return () => {
    screen.removeEventListener('focusin', onfocusin)
    screen.removeEventListener('pointerdown', onpointerdown)
    observer.disconnect()
  }
}

const isUsable = (element: HTMLElement) => element.isConnected && !element.matches(':disabled')

function surroundings(element: HTMLElement, screen: HTMLElement): HTMLElement[] {
  const found: HTMLElement[] = []
  for (let one = element.parentElement; one && one !== screen; one = one.parentElement) found.push(one)
  return found
}

/** Where the focus can go in what is left: the thing itself, or the first in it. */
function placeIn(element: HTMLElement): HTMLElement | null {
  if (!element.isConnected) return null
  return element.matches(canHaveFocus) ? element : element.querySelector<HTMLElement>(canHaveFocus)
}
