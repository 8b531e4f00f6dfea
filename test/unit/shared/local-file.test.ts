import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isLocalFile } from '../../../src-shared/local-file'

describe('a certificate file', () => {
  it.each([
    'C:\\ProgramData\\Company\\ca.pem',
    'c:/certs/ca.pem',
    'D:\\',
    '/etc/ssl/certs/company.pem',
    '/Library/Company/ca.pem',
    '/home/till/net/ca.pem',
    '/dev/shm/company ca.pem',
    '/etc/aux/ca.pem',
    'certs\\ca.pem',
    'ca.pem',
  ])('may be %s', (path) => {
    expect(isLocalFile(path)).toBe(true)
  })

  it.each([
    '\\\\server\\share\\ca.pem',
    '//server/share/ca.pem',
    '\\/server\\share\\ca.pem',
    '/\\server/share/ca.pem',
    ' \\\\server\\share\\ca.pem',
    '///server/share/ca.pem',
    '\\\\?\\UNC\\server\\share\\ca.pem',
    '\\\\?\\C:\\ca.pem',
    '//?/UNC/server/share/ca.pem',
    '\\\\.\\pipe\\ca',
    '\\??\\UNC\\server\\share\\ca.pem',
    '\\\\server@SSL@443\\DavWWWRoot\\ca.pem',
    'file://server/share/ca.pem',
    'file:///etc/ssl/ca.pem',
    'FILE:\\\\server\\ca.pem',
    'smb://server/share/ca.pem',
    'https://server/ca.pem',
    '/net/server/share/ca.pem',
    '/./net/server/ca.pem',
    '/etc/../net/server/ca.pem',
    '/Network/Servers/server/ca.pem',
    '/afs/cell/ca.pem',
    '/run/user/1000/gvfs/smb-share:server=x,share=y/ca.pem',
    '/dev/zero',
    '/proc/self/fd/0',
    'C:\\certs\\CON',
    'C:\\certs\\com1.pem',
    'nul',
    'C:\\certs\\ca\0.pem',
    'C:\\certs\\\u202Emep.ac',
    'C:\\certs\\ca\uD800.pem',
    '',
    '  ',
  ])('is never %j', (path) => {
    expect(isLocalFile(path)).toBe(false)
  })

  it('never begins as a path to another computer, however its parts are put together', () => {
    const part = fc.constantFrom(
      '\\',
      '/',
      '.',
      '..',
      '?',
      '??',
      'UNC',
      'server',
      'share',
      'C:',
      'net',
      'file:',
      'ca.pem',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 10 }), (parts) => {
        const path = parts.join('')
        if (!isLocalFile(path)) return
        expect(path).not.toMatch(/^\s*([\\/]{2}|file:)/i)
        expect(path).not.toMatch(/^[\\/]\?\?[\\/]/)
      }),
    )
  })
})
