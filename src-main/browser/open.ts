import { spawn } from 'node:child_process'
import { platform } from 'node:os'

/** Opens an address in the default browser, if there is one. Nothing depends on it: the address is printed as well. */
export function openInBrowser(url: string): void {
  const [command, ...args] = {
    darwin: ['open', url],
    // The empty text is the window's title, which `start` would otherwise take from the address.
    win32: ['cmd', '/c', 'start', '', url],
  }[platform().toString()] ?? ['xdg-open', url]
  if (command === undefined) return
  const child = spawn(command, args, { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}
