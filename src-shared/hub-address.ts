const octet = String.raw`(25[0-5]|2[0-4]\d|1?\d?\d)`
const ipv4 = new RegExp(String.raw`^${octet}(\.${octet}){3}$`)

/** Whether a host is this computer. */
export const isLoopbackHost = (host: string): boolean =>
  /^(localhost|::1)$/i.test(host) || (host.startsWith('127.') && ipv4.test(host))

/** Why a host can't be used: `scheme`: it is a web address; `form`: it is neither a name nor an IP address. */
export type HostFault = 'empty' | 'scheme' | 'form'

const name = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*\.?$/i
/** A name whose last part is a number is read as an IPv4 address: `127.1`, `0x7f000001`. Only the usual form is one here. */
const numeric = /(^|\.)(\d+|0x[0-9a-f]*)\.?$/i

/** The form of RFC 4291, without a zone. */
function isIpv6(host: string): boolean {
  const halves = host.split('::')
  if (halves.length > 2) return false
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const last = groups.at(-1) ?? ''
  const hasIpv4 = ipv4.test(last)
  const hex = hasIpv4 ? groups.slice(0, -1) : groups
  const count = hex.length + (hasIpv4 ? 2 : 0)
  return hex.every((one) => /^[0-9a-f]{1,4}$/i.test(one)) && (halves.length === 2 ? count < 8 : count === 8)
}

/**
 * Why a host can't be used. The one rule for hosts of store hubs, join codes and services: a name in ASCII (punycode for
 * others) or an IP address, without brackets, port, user or path.
 */
export function hostFault(host: string): HostFault | null {
  if (host === '') return 'empty'
  if (host.includes('://')) return 'scheme'
  if (host.length > 253) return 'form'
  if (host.includes(':')) return isIpv6(host) ? null : 'form'
  return (numeric.test(host) ? ipv4.test(host) : name.test(host)) ? null : 'form'
}

/**
 * The host of an address as it is looked up, if the address was written with other characters than ASCII: shown beside it,
 * because letters of several scripts look alike. Null for an address in ASCII.
 */
export function plainHostOf(address: string): string | null {
  const url = URL.parse(address)
  // The path may have such characters too; they name no other computer.
  const written = /^[a-z][a-z0-9+.-]*:[\\/]*([^\\/?#]*)/i.exec(address.trim())?.[1] ?? ''
  return url && /\P{ASCII}/u.test(written) ? url.hostname : null
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
