/** What lies over or beside the delivery, one at a time. */
export class Panes {
  dialog = $state<'finish' | 'undo' | 'catalogue' | 'report' | null>(null)
  isHistoryOpen = $state(false)
  isCountOpen = $state(false)
  isMenuOpen = $state(false)

  /** Esc: closes what lies on top. False when nothing does. */
  back(): boolean {
    if (this.isMenuOpen) this.isMenuOpen = false
    else if (this.isHistoryOpen) this.isHistoryOpen = false
    else if (this.isCountOpen) this.isCountOpen = false
    else return false
    return true
  }
}
