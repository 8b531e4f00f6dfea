import { spawn } from 'node:child_process'
import { platform } from 'node:os'

/** Opens an address in the default browser, if there is one. Nothing depends on it: the address is printed as well. */
export function openInBrowser(url: string): void {
  const [command, ...args] = opener(url)
  const child = spawn(command, args, { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}

function opener(url: string): [string, ...string[]] {
  if (platform() === 'darwin') return ['open', url]
  // The empty text is the window's title, which `start` would otherwise take from the address.
  return platform() === 'win32' ? ['cmd', '/c', 'start', '', url] : ['xdg-open', url]
}
