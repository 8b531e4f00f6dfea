import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** A page on the disk that takes a browser into the app. */
export interface LinkFile {
  /** Its `file:` URL, which holds no secret. */
  url: string
  remove(): void
}

/**
 * Every user of a computer sees the arguments of its programs, so the token isn't one. It is in a page in a folder that only this
 * user may enter, which sends it in the body of a form: it comes into no address, title, referrer or history. The caller
 * removes it after its use. Undefined if it can't be written: then a person opens the printed address.
 */
export function writeLinkFile(link: { origin: string; token: string }): LinkFile | undefined {
  try {
    // Made with mode 0700, under a name that can't be guessed.
    const folder = mkdtempSync(join(tmpdir(), 'countertag-open-'))
    const file = join(folder, 'countertag.html')
    writeFileSync(file, linkPage(link), { mode: 0o600 })
    return { url: pathToFileURL(file).href, remove: () => removed(folder) }
  } catch {
    return undefined
  }
}

function removed(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // A program still has it open. Its token is used, or ends with this process.
  }
}

/** The token is base64url, the origin an address and a port: neither needs escaping. The button is for a browser without scripts. */
const linkPage = ({ origin, token }: { origin: string; token: string }) => `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<title>Countertag</title>
<form method="post" action="${origin}/enter">
<input type="hidden" name="token" value="${token}">
<button>Countertag</button>
</form>
<script>document.forms[0].submit()</script>
`

/** Opens a URL in the default browser, if there is one. Failing is harmless, because the address is printed as well. */
export async function openInBrowser(url: string): Promise<void> {
  // Loaded only now, when the station is ready.
  const { spawn } = await import('node:child_process')
  const [command, ...args] = opener(platform(), url)
  const child = spawn(command, args, { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}

/** The program that opens a URL in the default browser. None of them is a shell, which would read signs in the URL. */
export function opener(system: NodeJS.Platform, url: string): [string, ...string[]] {
  if (system === 'darwin') return ['open', url]
  return system === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler', url] : ['xdg-open', url]
}
