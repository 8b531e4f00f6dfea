/**
 * Keeps the keyboard where it was when a row is drawn anew, in its list or in another: a report that is sent while
 * somebody reads its history must not throw them back to the top of the page. Call before the change; what is
 * returned, after it.
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
