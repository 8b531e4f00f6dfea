/**
 * Keeps the keyboard in its place when the focused element disappears or is disabled, such as the button of a step that is
 * done: its nearest remaining ancestor gets the focus. Not a button beside it, which a key pressed twice would press. An
 * element that was disabled for a while gets the focus back, unless another one got it meanwhile. For `{@attach}`.
 */
export function holdFocus(screen: HTMLElement): () => void {
  let last: HTMLElement | null = null
  let wasDisabled = false
  /** The ancestor that has the focus while `last` is disabled. */
  let standIn: HTMLElement | null = null
  /** Its ancestors, nearest first: once it is off the page they can't be found any more. */
  let around: HTMLElement[] = []

  const onfocusin = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement) || target === standIn) return
    last = target
    wasDisabled = false
    standIn = null
    around = surroundings(target, screen)
  }
  const onpointerdown = ({ target }: PointerEvent) => {
    // What has the focus keeps it when it is pressed again.
    if (target instanceof Node && last?.contains(target)) return
    // What is pressed gets the focus next; a press beside it means that nothing should have it.
    last = null
  }
  /** A disabled element may keep the focus until the page is drawn again. */
  const isFree = () => {
    const focused = document.activeElement
    return focused === document.body || focused === last || focused === standIn
  }
  /** After all that a change of the screen brings with it, which may have put the focus somewhere itself. */
  const giveBack = () => {
    if (!last || !isFree()) return
    if (last.isConnected && !last.matches(':disabled')) {
      standIn = null
      last.focus({ preventScroll: true })
      return
    }
    standIn = around.find(({ isConnected }) => isConnected) ?? null
    focusOn(standIn ?? undefined)
  }
  const observer = new MutationObserver(() => {
    if (!last) return
    const isDisabled = last.matches(':disabled')
    if (!last.isConnected || wasDisabled !== isDisabled) setTimeout(giveBack)
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

/**
 * Remembers what has the focus; what it returns gives the focus back there, or to the nearest ancestor that is left. A button
 * may be disabled until what it began is done, so a second look follows with the next frame.
 */
export function focusAgain(): () => void {
  const opener = document.activeElement
  // Nothing had it: there is nothing to give back, and what is around the page is not for keys.
  if (!(opener instanceof HTMLElement) || opener === document.body) return () => undefined
  const around = surroundings(opener, document.body)
  const isFree = () => document.activeElement === document.body
  const focusAround = () => {
    focusOn(around.find((one) => one.isConnected && one !== document.body))
  }
  return () => {
    if (isFree()) opener.focus()
    if (!isFree()) return
    // It left the page with what it opened: now, before the focus is given to what was around that.
    if (!opener.isConnected) focusAround()
    requestAnimationFrame(() => {
      if (isFree()) opener.focus()
      if (isFree()) focusAround()
    })
  }
}

function surroundings(element: HTMLElement, screen: HTMLElement): HTMLElement[] {
  const found: HTMLElement[] = []
  for (let one = element.parentElement; one; one = one === screen ? null : one.parentElement) found.push(one)
  return found
}

/** Focuses an element even if the Tab key does not stop there. */
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
