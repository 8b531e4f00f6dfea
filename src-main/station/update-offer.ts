import type { UpdateView } from '../../src-shared/ipc/update-view'

/** Between a host that has fetched an update and the person who says when: asked inside the page, never over it. */
export interface UpdateOffer {
  view(): UpdateView
  /** The host has that version. */
  offer(version: string): void
  /** Installing it failed, or begins: nobody is asked any more. */
  withdraw(): void
  /** Agrees to that version, if it is the one on offer. */
  agree(version: string): UpdateView
}

export function createUpdateOffer(announce: (view: UpdateView) => void): UpdateOffer {
  let view: UpdateView = { version: null, isAgreed: false }
  const show = (next: UpdateView) => {
    view = next
    announce(view)
  }
  return {
    view: () => view,
    offer(version) {
      show({ version, isAgreed: false })
    },
    withdraw() {
      show({ version: null, isAgreed: false })
    },
    agree(version) {
      if (view.version === version && !view.isAgreed) show({ version, isAgreed: true })
      return view
    },
  }
}
