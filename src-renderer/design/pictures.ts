import { createContext } from 'svelte'
import type { Client } from '../../src-shared/ipc/client'

/** Asks main for each picture once: the page itself may not reach the service's hosts. */
export interface Pictures {
  /** A `data:` URL, null when there is no picture to be had. */
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
        // Nothing now may be something later, when the connection is back.
        if (dataUrl === null) asked.delete(url)
        return dataUrl
      })
      asked.set(url, asking)
      return asking
    },
  }
}

export const [getPictures, setPictures] = createContext<Pictures>()
