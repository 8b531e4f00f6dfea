import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { opener, writeLinkFile } from '../../../../src-main/browser/opening'

const link = { origin: 'http://127.0.0.1:4011', token: 'Zz-09_secret' }

describe('the file that opens the app in a browser', () => {
  it('holds the token where no other user can read it, and is gone after its use', () => {
    const file = writeLinkFile(link)
    const path = fileURLToPath(file?.url ?? '')
    expect(path).not.toContain(link.token)
    const page = readFileSync(path, 'utf8')
    expect(page).toContain(`<form method="post" action="${link.origin}/enter">`)
    expect(page).not.toMatch(new RegExp(`(#|\\?|title>[^<]*)${link.token}`))
    if (process.platform !== 'win32')
      expect([path, dirname(path)].map((one) => statSync(one).mode & 0o777)).toEqual([0o600, 0o700])
    file?.remove()
    file?.remove()
    expect(existsSync(dirname(path))).toBe(false)
  })
})

describe('the program that opens a browser', () => {
  const url = "file:///C:/Users/O'Neil%20&%20Co/countertag.html"
  it.each([
    ['linux', ['xdg-open', url]],
    ['darwin', ['open', url]],
    // `cmd /c start` would read the & as the end of a command.
    ['win32', ['rundll32', 'url.dll,FileProtocolHandler', url]],
  ] as const)('is no shell on %s, and gets the address as it is', (system, program) => {
    expect(opener(system, url)).toEqual(program)
  })
})
