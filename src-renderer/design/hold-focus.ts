/**
 * Keeps the keyboard at its place where what had the focus goes, as the button of a thing that was just done: what is
 * left of its surroundings gets the focus, and never the top of the page. Not a button beside it: a key that is pressed
 * twice would press that. What is disabled for a while gets the focus back. For `{@attach}`.
 */
export function holdFocus(screen: HTMLElement): () => void {
  let last: HTMLElement | null = null
  let wasDisabled = false
  /** What was around it then, the nearest first: once it is off the page, nothing tells any more. */
  let around: HTMLElement[] = []

  const onfocusin = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return
    last = target
    wasDisabled = false
    around = surroundings(target, screen)
  }
  const onpointerdown = () => {
    // What is pressed gets the focus next; whoever presses beside it wants none.
    last = null
  }
  const observer = new MutationObserver(() => {
    if (!last) return
    const isDisabled = last.matches(':disabled')
    const isLost = document.activeElement === document.body
    if (!last.isConnected && isLost) {
      last = null
      focusOn(around.find(({ isConnected }) => isConnected))
    } else if (wasDisabled && !isDisabled && isLost) last.focus({ preventScroll: true })
    wasDisabled = isDisabled
  })

  screen.addEventListener('focusin', onfocusin)
  document.addEventListener('pointerdown', onpointerdown)
  observer.observe(screen, { subtree: true, childList: true, attributes: true, attributeFilter: ['disabled'] })
  return () => {
    screen.removeEventListener('focusin', onfocusin)
    document.removeEventListener('pointerdown', onpointerdown)
    observer.disconnect()
  }
}

function surroundings(element: HTMLElement, screen: HTMLElement): HTMLElement[] {
  const found: HTMLElement[] = []
  for (let one = element.parentElement; one; one = one === screen ? null : one.parentElement) found.push(one)
  return found
}

/** Also what a person can't step to: it is no stop on their way. */
function focusOn(element: HTMLElement | undefined): void {
  if (!element) return
  if (!element.hasAttribute('tabindex')) {
    element.tabIndex = -1
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true })
  }
  element.focus({ preventScroll: true })
}

/** Puts the focus on the first field that can't be used; for after a form was checked. */
export function focusFault(form: HTMLElement | undefined): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}

/**
 * Keeps the focus when a row (`li` with an id) is drawn again, in its list or in another one: a report that is sent while
 * a person reads its history must not move them to the top of the page. Call it before the change, and what it returns
 * after it.
 */
export function keepFocus(lists: HTMLElement | undefined): () => void {
  const focused = document.activeElement
  if (!(focused instanceof HTMLElement) || !lists?.contains(focused)) return () => undefined
  const row = focused.closest('li[id]')
  const label = focused.getAttribute('aria-label')
  return () => {
    if (document.activeElement !== document.body || !row) return
    const again = document.getElementById(row.id)
    const control = [...(again?.querySelectorAll('button') ?? [])].find(
      (button) => label !== null && button.getAttribute('aria-label') === label,
    )
    const next = control ?? again ?? lists
    next.focus({ preventScroll: true })
  }
}
