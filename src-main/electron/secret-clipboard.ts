import { clipboard } from 'electron'
import type { SecretOutlet } from '../station/secret-outlet'

/** The computer's clipboard. A secret that is still there when it ends is cleared; not if the app was closed before. */
export function createSecretClipboard(): SecretOutlet {
  let timer: NodeJS.Timeout | undefined
  const clear = async (text: string) => {
    if ((await clipboard.readText()) === text) clipboard.clear()
  }
  return {
    kind: 'clipboard',
    async give(text, lastsMs) {
      clearTimeout(timer)
      await clipboard.writeText(text)
      // A clipboard that can't be read keeps what it has.
      timer = setTimeout(() => void clear(text).catch(() => undefined), lastsMs).unref()
    },
  }
}
