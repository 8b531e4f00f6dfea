import { describe, expect, it } from 'vitest'
import { hostFault, isLoopbackHost, splitAddress } from '../../../src-shared/hub-address'

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
  ])('may not be %s (%s)', (host, fault) => {
    expect(hostFault(host)).toBe(fault)
  })

  it('is this computer only by its own names', () => {
    expect(['localhost', '127.0.0.1', '127.1.2.3', '::1'].every(isLoopbackHost)).toBe(true)
    expect(['localhost.example', '192.168.1.20', 'hub'].some(isLoopbackHost)).toBe(false)
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
