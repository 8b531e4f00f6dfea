import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nameOf, parseProxyList } from '../../../../src-main/service/system-proxy'

const waysOf = (text: string) => parseProxyList(text).ways.map(nameOf)

describe("the system's list of proxies", () => {
  it.each([
    ['DIRECT', ['direct']],
    ['PROXY proxy.store.test:3128', ['http://proxy.store.test:3128']],
    ['PROXY proxy.store.test:3128; DIRECT', ['http://proxy.store.test:3128', 'direct']],
    ['PROXY 10.0.0.1:8080;PROXY 10.0.0.2:8080', ['http://10.0.0.1:8080', 'http://10.0.0.2:8080']],
    ['HTTPS proxy.store.test:443', ['https://proxy.store.test:443']],
    ['SOCKS5 10.0.0.1:1080', ['socks5://10.0.0.1:1080']],
    ['proxy 10.0.0.1:3128 ; direct', ['http://10.0.0.1:3128', 'direct']],
    ['PROXY [fd00::1]:3128', ['http://[fd00::1]:3128']],
    ['PROXY a; HTTPS b; SOCKS5 c', ['http://a:80', 'https://b:443', 'socks5://c:1080']],
    ['DIRECT; DIRECT; PROXY a:1; PROXY a:1', ['direct', 'http://a:1']],
  ])('%j is parsed as %j', (text, ways) => {
    expect([waysOf(text), parseProxyList(text).unusable]).toEqual([ways, []])
  })

  it.each([
    ['SOCKS 10.0.0.1:1080', 'SOCKS 10.0.0.1:1080'],
    ['SOCKS4 10.0.0.1:1080', 'SOCKS4 10.0.0.1:1080'],
    ['QUIC proxy.store.test:443', 'QUIC proxy.store.test:443'],
    ['rubbish', 'rubbish'],
    ['PROXY', 'PROXY'],
    ['PROXY :3128', 'PROXY :3128'],
    ['PROXY a:99999', 'PROXY a:99999'],
    ['PROXY a:0x50', 'PROXY a:0x50'],
    ['PROXY user:word@a:3128', 'PROXY user:word@a:3128'],
    ['PROXY a:3128/path', 'PROXY a:3128/path'],
    ['PROXY [::zz]:1', 'PROXY [::zz]:1'],
    ['PROXY http://a:3128', 'PROXY http://a:3128'],
    ['DIRECT please', 'DIRECT please'],
  ])('skips %j, and continues with the next entry', (entry, named) => {
    const { ways, unusable } = parseProxyList(`${entry}; PROXY b:3128`)
    expect([ways.map(nameOf), unusable]).toEqual([['http://b:3128'], [named]])
    expect(waysOf(entry)).toEqual(['direct'])
  })

  it('means a direct connection if it is empty', () => {
    for (const text of ['', ' ', ';', ' ; ; '])
      expect(parseProxyList(text)).toEqual({ ways: [{ kind: 'direct' }], unusable: [] })
  })

  it('is limited to eight ways', () => {
    expect(waysOf(Array.from({ length: 30 }, (_, n) => `PROXY p${n}:1`).join(';'))).toHaveLength(8)
  })

  it('always yields at least one way, and addresses without credentials, for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^(PROXY|SOCKS5|HTTPS) [\w.:@/[\]-]{0,20}$/)), (text) => {
        const { ways } = parseProxyList(text)
        expect(ways.length).toBeGreaterThan(0)
        for (const way of ways) {
          if (way.kind === 'direct') continue
          const url = new URL(way.url)
          expect([url.username, url.password, url.protocol]).toEqual(['', '', `${way.kind}:`])
        }
      }),
    )
  })
})
