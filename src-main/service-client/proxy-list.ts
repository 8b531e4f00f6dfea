/** One way to the service, as a proxy script (PAC) names it. */
export type ProxyWay = { kind: 'direct' } | { kind: 'http' | 'https' | 'socks5'; url: string }

export interface ProxyList {
  /** In the order in which they are to be tried; at least one. */
  ways: ProxyWay[]
  /** Entries that can't be used: SOCKS4, QUIC, misspelled ones. They are passed over. */
  unusable: string[]
}

export const direct: ProxyWay = { kind: 'direct' }

/** More than any script has; each one that is dead costs the time of a connection. */
const mostWays = 8
const longestList = 4_000

const kinds: Record<string, { kind: 'http' | 'https' | 'socks5'; port: number }> = {
  PROXY: { kind: 'http', port: 80 },
  HTTP: { kind: 'http', port: 80 },
  HTTPS: { kind: 'https', port: 443 },
  SOCKS5: { kind: 'socks5', port: 1080 },
}

/**
 * Reads the list that the operating system or its proxy script gives: `PROXY a:3128; SOCKS5 b:1080; DIRECT`. Pure and
 * total. A list without one usable entry means no proxy, as in Chromium.
 */
export function parseProxyList(text: string): ProxyList {
  const entries = text.slice(0, longestList).split(';')
  const ways: ProxyWay[] = []
  const unusable: string[] = []
  for (const entry of entries.map((one) => one.trim()).filter((one) => one !== '')) {
    const way = wayOf(entry)
    if (!way) unusable.push(entry.slice(0, 100))
    else if (ways.length < mostWays && !ways.some((known) => isSameWay(known, way))) ways.push(way)
  }
  return { ways: ways.length === 0 ? [direct] : ways, unusable }
}

export const isSameWay = (one: ProxyWay, other: ProxyWay): boolean => nameOf(one) === nameOf(other)

/** For the log: an entry of a list never holds a password. */
export const nameOf = (way: ProxyWay): string => (way.kind === 'direct' ? 'direct' : way.url)

function wayOf(entry: string): ProxyWay | undefined {
  if (/^DIRECT$/i.test(entry)) return direct
  const [, name = '', host = '', port] = /^(\w+)\s+([\w.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/i.exec(entry) ?? []
  const known = kinds[name.toUpperCase()]
  if (!known) return undefined
  const url = `${known.kind}://${host}:${port ?? known.port}`
  return URL.canParse(url) ? { kind: known.kind, url } : undefined
}
