import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { launch, newFolder, openCountertag } from './countertag'
import type { FakeElectron } from '../fakes/electron'

/** The text of the page, as a person reads it. */
const wordsOf = (html: string) =>
  html
    .replace(/<style>.*<\/style>/s, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')

const theWindow = ({ app }: FakeElectron) => {
  const window = app.windows.at(-1)
  if (!window) throw new Error('There is no window')
  return window
}

const english = 'Countertag cannot start'
const spanish = 'Countertag no puede abrirse'

describe('a failed start shows a page that says what to do', () => {
  beforeEach(() => {
    const said = vi.spyOn(console, 'error').mockReturnValue()
    onTestFinished(() => {
      said.mockRestore()
    })
  })

  /** Each row: what is wrong with the data folder, and what a person reads. */
  const troubles: [what: string, code: string, says: RegExp, spoil: (folder: string) => void][] = [
    [
      'the database is damaged and no backup can be read',
      'store/damaged',
      /damaged and could not be repaired.*do not delete the folder.*no borre la carpeta/,
      (folder) => {
        // A folder in place of a backup: it can't be read.
        mkdirSync(join(folder, 'practice/backups/countertag-20260101T000000Z.db'), { recursive: true })
        writeFileSync(join(folder, 'practice/countertag.db'), Buffer.alloc(8192, 'rubbish'))
      },
    ],
    [
      'the settings of the station are of a newer version',
      'store/newer',
      /newer version of Countertag.*the PIN and the reports that wait stay.*versión más nueva/,
      (folder) => writeFileSync(join(folder, 'station.json'), '{"version":2}'),
    ],
    [
      'station.json is a folder',
      'store/no-access',
      /cannot read or write its data.*not full and not read-only/,
      (folder) => mkdirSync(join(folder, 'station.json')),
    ],
    [
      'a file stands in the place of the folder of a profile',
      'store/no-access',
      /cannot read or write its data/,
      (folder) => writeFileSync(join(folder, 'practice'), ''),
    ],
    [
      'data.key is a folder',
      'store/no-access',
      /cannot read or write its data/,
      (folder) => mkdirSync(join(folder, 'data.key')),
    ],
  ]

  it.each(troubles)('%s', async (_what, code, says, spoil) => {
    const folder = join(newFolder(), 'till <2> & "ü 店"')
    mkdirSync(folder)
    spoil(folder)
    const electron = await openCountertag({}, ['--data-dir', folder])
    const { document, options } = theWindow(electron)
    const words = wordsOf(document)
    for (const title of [english, spanish]) expect(words).toContain(title)
    expect(words).toMatch(says)
    expect(words).toContain(`${code}: `)
    expect(document).toContain('till &lt;2&gt; &amp; &quot;ü 店&quot;')
    expect(words).toContain('countertag-start.log')
    expect(readFileSync(join(folder, 'countertag-start.log'), 'utf8')).toContain(`"code":"${code}"`)
    expect(words).not.toMatch(/ at \w+|\.ts:|\.js:\d/)
    expect(electron.errorBoxes).toEqual([])
    expect(options.webPreferences).toMatchObject({ sandbox: true, javascript: false, contextIsolation: true })
    expect(options.webPreferences).not.toHaveProperty('preload')

    expect(electron.app.exitCode).toBeUndefined()
    theWindow(electron).close()
    expect(electron.app.exitCode).toBe(1)
  })

  it('when another Countertag has the data open', async () => {
    const userData = newFolder()
    await openCountertag({ userData })
    const second = await openCountertag({ userData })
    expect(wordsOf(theWindow(second).document)).toMatch(/already open on this data.*Nothing is lost.*Ya hay otro/)
    // Starting again shows the page again.
    second.app.startSecondInstance()
    expect(theWindow(second).history.slice(1)).toEqual(['show', 'focus'])
  })

  it('when the folder of --data-dir cannot be created, before Electron is ready', async () => {
    const file = join(newFolder(), 'a file')
    writeFileSync(file, '')
    const electron = await openCountertag({}, ['--data-dir', join(file, 'folder')])
    const words = wordsOf(theWindow(electron).document)
    expect(words).toContain(join(file, 'folder'))
    expect(words).toMatch(/cannot read or write its data/)
    expect(electron.app.isSandboxed).toBe(true)
  })

  it('after an unexpected error with the core open: closes the core first', async () => {
    const userData = newFolder()
    const electron = await openCountertag({ userData, refusedWindows: 1 })
    expect(wordsOf(theWindow(electron).document)).toMatch(/Something went wrong inside Countertag.*Algo salió mal/)
    // A core still open would hold the store.
    expect((await openCountertag({ userData })).app.windows[0]?.history).toContain('show')
  })

  it.each<[string, () => readonly unknown[]]>([
    ['an exception', () => process.listeners('uncaughtException')],
    ['a rejection', () => process.listeners('unhandledRejection')],
  ])(
    'after an uncaught error at run time (%s): closes the core first, and leaves no other window open',
    async (_what, listeners) => {
      const userData = newFolder()
      const others = new Set(listeners())
      const electron = await openCountertag({ userData })
      const listener = listeners().find((each) => !others.has(each))
      if (typeof listener !== 'function') throw new Error('no listener')
      Reflect.apply(listener, process, [new Error('a bug'), null])
      Reflect.apply(listener, process, [new Error('and one of the same'), null])
      await vi.waitUntil(
        () => theWindow(electron).document.includes('unexpected: ') && electron.app.windows.length === 1,
      )
      expect(wordsOf(theWindow(electron).document)).toMatch(/Something went wrong inside Countertag.*Algo salió mal/)
      expect(readFileSync(join(userData, 'practice', 'countertag.log'), 'utf8')).toContain('a bug')
      theWindow(electron).close()
      expect(electron.app.exitCode).toBe(1)
      expect((await openCountertag({ userData })).app.windows[0]?.history).toContain('show')
    },
  )

  it('loads and runs nothing, and the page itself forbids it', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'station.json'), '{"version":2}')
    const { document } = theWindow(await openCountertag({ userData: folder }))
    const style = /<style>(.*)<\/style>/s.exec(document)?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(document).toContain(
      `content="default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;"`,
    )
    expect(document).not.toMatch(/<script|<link|<img|<iframe|style=|\son\w+=|href=|src=/)
  })

  it('shows an error box and ends where no window can be opened', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'station.json'), '{"version":2}')
    const electron = await launch({ userData: folder, refusedWindows: 2 })
    await vi.waitUntil(() => electron.app.exitCode !== undefined, 10_000)
    expect(electron.app.exitCode).toBe(1)
    expect(electron.errorBoxes).toEqual([
      { title: english, content: expect.stringContaining('newer Countertag') as string },
    ])
    expect(electron.errorBoxes[0]?.content).toContain(folder)
    expect(existsSync(join(folder, 'countertag-start.log'))).toBe(true)
  })
})
