import { createContext } from 'svelte'
import type { Client } from '../../src-shared/ipc/client'

/** Reads each picture from main once: the page itself must not reach the service's hosts. */
export interface Pictures {
  /** A `data:` URL; null if there is no picture. */
  load(url: string): Promise<string | null>
}

export function createPictures(client: Client): Pictures {
  const asked = new Map<string, Promise<string | null>>()
  return {
    load(url) {
      const known = asked.get(url)
      if (known) return known
      const asking = client.call('media.picture', { url }).then((answer) => {
        const dataUrl = answer.ok ? answer.value.dataUrl : null
        // The connection may be back later: the next request tries again.
        if (dataUrl === null) asked.delete(url)
        return dataUrl
      })
      asked.set(url, asking)
      return asking
    },
  }
}

export const [getPictures, setPictures] = createContext<Pictures>()
