import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { LaunchOptions } from '@playwright/test'

const modules = resolve(import.meta.dirname, '../../node_modules')
const archives = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br']

/** Chromium's own test picture instead of this computer's camera, allowed without a question. */
const testCamera = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']

/**
 * How the tests start a browser. Linux x64 uses the Chromium from an npm package, so a fresh machine needs nothing
 * else; other systems use the installed Chrome.
 */
export async function browserLaunch(): Promise<LaunchOptions> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return { channel: 'chrome', args: testCamera }

  const folder = join(modules, '.cache/test-chromium')
  if (!existsSync(folder)) await unpack(folder)
  return {
    executablePath: join(folder, 'chromium'),
    args: ['--no-sandbox', '--headless=shell', ...testCamera],
    // The package's own libraries and fonts: they run on a machine without NSS, and screenshots look the same
    // everywhere.
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
      FONTCONFIG_FILE: await fontConfig(folder),
    },
  }
}

/**
 * The package's font configuration names folders of the machine it was built on. Without those folders or any other
 * fonts, the browser does not start.
 */
async function fontConfig(folder: string): Promise<string> {
  const file = join(folder, 'fonts.conf')
  const fonts = join(folder, 'fonts')
  const cache = join(folder, 'font-cache')
  const [ofFonts, ofCache] = [fonts, cache].map(inXml)
  await writeFile(file, `<fontconfig><dir>${ofFonts}</dir><cachedir>${ofCache}</cachedir></fontconfig>\n`)
  return file
}

const inXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/**
 * The package unpacks into the temporary folder, which all users and versions share, and it accepts a half-written file
 * there as complete. So it unpacks into a separate folder, which is renamed when complete.
 */
async function unpack(folder: string) {
  const { inflate } = await import('@sparticuz/chromium')
  await mkdir(join(folder, '..'), { recursive: true })
  const unpacking = await mkdtemp(`${folder}-`)
  const usual = process.env.TMPDIR
  try {
    process.env.TMPDIR = unpacking
    await Promise.all(archives.map((archive) => inflate(join(modules, '@sparticuz/chromium/bin', archive))))
    await rename(unpacking, folder).catch((cause: unknown) => {
      // Another run finished first: its folder is equally good.
      if (!existsSync(folder)) throw cause
    })
  } finally {
    if (usual === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = usual
    await rm(unpacking, { recursive: true, force: true })
  }
}
