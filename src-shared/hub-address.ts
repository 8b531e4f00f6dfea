/** Whether a host is this computer. */
export const isLoopbackHost = (host: string): boolean => /^(localhost|127(\.\d+){3}|::1)$/i.test(host)

/** Why a host can't be used: `scheme`: it is a web address; `form`: it is neither a name nor an IP address. */
export type HostFault = 'empty' | 'scheme' | 'form'

const name = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i
const ipv6 = /^[0-9a-f]{0,4}(:[0-9a-f]{0,4}){2,7}$/i

export function hostFault(host: string): HostFault | null {
  if (host === '') return 'empty'
  if (host.includes('://')) return 'scheme'
  return host.length <= 253 && (name.test(host) || ipv6.test(host)) ? null : 'form'
}

/** What a pasted address holds. What it does not name is left out. */
export interface SplitAddress {
  host: string
  port?: string
  database?: string
  user?: string
  password?: string
}

/** Splits `postgres://user:password@host:port/database`, `host:port` and `[IPv6]:port`; null for anything else. */
export function splitAddress(text: string): SplitAddress | null {
  const given = text.trim()
  if (/^postgres(ql)?:\/\//i.test(given)) return fromUrl(given)
  const [, bracketed, plain, port = ''] = /^(?:\[([0-9a-f:.]+)\]|([^\s:/[\]]+)):(\d{1,5})$/i.exec(given) ?? []
  const host = bracketed ?? plain
  return host === undefined ? null : { host, port }
}

function fromUrl(text: string): SplitAddress | null {
  const url = URL.parse(text)
  if (!url || url.hostname === '') return null
  const parts = {
    port: url.port,
    database: decoded(url.pathname.slice(1)),
    user: decoded(url.username),
    password: decoded(url.password),
  }
  const named = Object.entries(parts).filter(([, part]) => part !== '')
  return { host: decoded(url.hostname).replace(/^\[(.*)\]$/, '$1'), ...Object.fromEntries(named) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A per cent sign that is meant.
    return text
  }
}
