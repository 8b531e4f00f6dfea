import { isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hostFault, isLoopbackHost, plainHostOf, splitAddress } from '../../../src-shared/hub-address'

describe('the host of a store hub', () => {
  it.each(['hub', 'hub.store.example', 'HUB-2', '192.168.1.20', '::1', 'fd00::12:3', 'my_hub.local', 'hub.'])(
    'may be %s',
    (host) => {
      expect(hostFault(host)).toBe(null)
    },
  )

  it.each([
    ['', 'empty'],
    ['https://hub.example', 'scheme'],
    ['ftp://x', 'scheme'],
    ['hub example', 'form'],
    ['hub/db', 'form'],
    ['-hub', 'form'],
    ['hub:5432', 'form'],
    ['user@hub', 'form'],
    ['x'.repeat(254), 'form'],
    ['a..b', 'form'],
    ['hub\\db', 'form'],
    ['hub?x', 'form'],
    ['hub#x', 'form'],
    ['hub%2edb', 'form'],
    ['hub\n', 'form'],
    ['hub\0', 'form'],
    ['h\u202Eub', 'form'],
    ['hüb', 'form'],
    ['x'.repeat(64), 'form'],
    ['127.1', 'form'],
    ['2130706433', 'form'],
    ['0x7f000001', 'form'],
    ['1.2.3.256', 'form'],
    ['hub.1', 'form'],
    ['[::1]', 'form'],
    ['fe80::1%eth0', 'form'],
    ['1:2:3', 'form'],
    ['::1::', 'form'],
  ])('may not be %s (%s)', (host, fault) => {
    expect(hostFault(host)).toBe(fault)
  })

  it('is this computer only by its own names', () => {
    expect(['localhost', '127.0.0.1', '127.1.2.3', '::1'].every(isLoopbackHost)).toBe(true)
    expect(['localhost.example', '192.168.1.20', 'hub', '127.0.0.999', '127.1'].some(isLoopbackHost)).toBe(false)
  })

  it('is an address exactly where Node reads one, and never has a sign of another part of an address', () => {
    const part = fc.constantFrom('0', '1', '255', '256', 'a', 'f', 'fd00', '.', ':', '::', 'hub', '-', '_')
    const text = fc.oneof(
      fc.array(part, { maxLength: 12 }).map((parts) => parts.join('')),
      fc.array(fc.integer({ min: 0, max: 0x02_ff })).map((units) => String.fromCharCode(...units)),
    )
    fc.assert(
      fc.property(text, (host) => {
        if (hostFault(host) !== null) {
          expect(isIP(host) === 0 || host.includes('%')).toBe(true)
          return
        }
        expect(host).toMatch(/^[a-z0-9_.:-]{1,253}$/i)
        if (host.includes(':')) expect(isIP(host)).toBe(6)
        if (/^[\d.]+$/.test(host)) expect(isIP(host)).toBe(4)
      }),
      { numRuns: 500 },
    )
  })
})

describe('a pasted address', () => {
  it('is split into the fields of the form', () => {
    expect(splitAddress(' postgres://till:p%40ss@hub.example:6543/store ')).toEqual({
      ...{ host: 'hub.example', port: '6543', database: 'store', user: 'till', password: 'p@ss' },
    })
    expect(splitAddress('postgresql://[::1]/store')).toEqual({ host: '::1', database: 'store' })
    expect(splitAddress('postgres://u:100%@hub')).toEqual({ host: 'hub', user: 'u', password: '100%' })
    expect(splitAddress('hub:5433')).toEqual({ host: 'hub', port: '5433' })
    expect(splitAddress('[fd00::1]:5433')).toEqual({ host: 'fd00::1', port: '5433' })
  })

  it('is left alone if it holds nothing to split', () => {
    for (const text of ['', 'hub', '192.168.1.20', 'fd00::1', 'https://hub:1', 'postgres://', 'a b:3'])
      expect(splitAddress(text), text).toBe(null)
  })
})

describe('an address with other letters', () => {
  it.each([
    ['https://serv\u0456ce.example', 'xn--servce-svf.example'],
    ['https://\u0430\u0440\u0440\u04cf\u0435.example/path', 'xn--80ak6aa92e.example'],
    ['https://caf\u00e9.example', 'xn--caf-dma.example'],
  ])('%s is shown with what is looked up', (address, host) => {
    expect(plainHostOf(address)).toBe(host)
  })

  it.each([
    'https://service.example',
    'https://xn--caf-dma.example',
    'https://service.example/caf\u00e9',
    'no address',
  ])('%s needs nothing beside it', (address) => {
    expect(plainHostOf(address)).toBe(null)
  })
})
