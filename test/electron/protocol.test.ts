import { describe, expect, it } from 'vitest'
import { sharedCountertag } from './countertag'

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

describe('app://countertag/', () => {
  const countertag = sharedCountertag()

  it('is declared as standard and secure before Electron is ready, and never exempt from the CSP', () => {
    const electron = countertag()
    expect(electron.protocol.schemes).toEqual([
      { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
    ])
  })

  it('serves the page and everything it loads with their types and the strict policy', async () => {
    const electron = countertag()
    const page = await electron.fetch('app://countertag/')
    const html = await page.text()
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toBe(policy)

    const parts = [...html.matchAll(/(?:src|href)="\.?(\/[^"]+)"/g)].map(([, path]) => path ?? '')
    expect(parts.some((path) => path.endsWith('.js'))).toBe(true)
    for (const path of parts) {
      const part = await electron.fetch(`app://countertag${path}`)
      expect([path, part.status]).toEqual([path, 200])
      expect(part.headers.get('content-security-policy')).toBe(policy)
      expect(part.headers.get('x-content-type-options')).toBe('nosniff')
      expect(part.headers.get('content-type')).toMatch(/^(text\/(javascript|css)|image\/)/)
    }
  })

  it.each([
    ['a parent folder', 'app://countertag/../../etc/passwd'],
    ['a parent folder in escapes', 'app://countertag/%2e%2e/%2e%2e/etc/passwd'],
    ['a slash in escapes', 'app://countertag/..%2f..%2fpackage.json'],
    ['escapes of escapes', 'app://countertag/%252e%252e%252fpackage.json'],
    ['backslashes', 'app://countertag/..\\..\\package.json'],
    ['backslashes in escapes', 'app://countertag/..%5c..%5cpackage.json'],
    ['a zero byte', 'app://countertag/index.html%00.png'],
    ['a drive', 'app://countertag/C:/windows/win.ini'],
    ['an absolute path', 'app://countertag//etc/passwd'],
    ['a hidden file', 'app://countertag/.env'],
    ['a file of another kind', 'app://countertag/index.html.map'],
    ['another host', 'app://elsewhere/index.html'],
    ['a port', 'app://countertag:8080/index.html'],
    ['no host', 'app:///index.html'],
  ])('refuses %s, under the same policy', async (_what, url) => {
    const electron = countertag()
    const response = await electron.fetch(url)
    expect(response.status).toBe(403)
    expect(await response.text()).toBe('')
    expect(response.headers.get('content-security-policy')).toBe(policy)
  })

  it('answers 404 for a missing file and 405 for anything but reading', async () => {
    const electron = countertag()
    expect((await electron.fetch('app://countertag/assets/none.js')).status).toBe(404)
    expect((await electron.fetch('app://countertag/', 'POST')).status).toBe(405)
  })

  it("is the only protocol served: file:// isn't", () => {
    const electron = countertag()
    expect([...electron.protocol.handlers.keys()]).toEqual(['app'])
    expect(electron.window.history.filter((step) => step.startsWith('load'))).toEqual(['load app://countertag/'])
  })
})
