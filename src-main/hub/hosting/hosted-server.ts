import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { HostingFailure, HostingReason } from '../../../src-shared/ipc/contract/hosting'
import { writeWhole } from '../../database/files'
import type { Binaries } from '../runnable-programs'
import { type Server, startServer } from '../server'
import { giveToServer, isRoot } from '../server-user'

/** Why a kept PostgreSQL can't be started. */
export class CannotStart extends Error implements HostingFailure {
  readonly reason: HostingReason
  readonly detail: string
  constructor(reason: HostingReason, detail = '', options?: ErrorOptions) {
    super(detail === '' ? reason : detail, options)
    this.reason = reason
    this.detail = detail.slice(-4_000)
  }
}

export interface HostedParts {
  programs: Binaries
  /** What is kept: data, certificate, and who may connect. */
  folder: string
  port: number
  /** Besides loopback; null: loopback only. */
  address: string | null
  /** Files of its certificate and key; without, nothing but loopback is let in. */
  tls?: { certificate: string; key: string } | undefined
  /** Passwords of the owner and of the stations' role; used while the database is made. */
  passwords: HostedPasswords
  onLog?: (text: string) => void
}

export interface HostedPasswords {
  /** The password of the role that may do everything, for IT; only from this computer. */
  owner: string
  /** The password of the role that stations join with: it owns the database of the store, and nothing else. */
  station: string
}

export const loopback = '127.0.0.1'
export const owner = 'owner'
/** What stations join with. */
export const [hostedUser, hostedDatabase] = ['countertag', 'store']

export const dataOf = (folder: string) => join(folder, 'data')

export const drawPasswords = (): HostedPasswords => ({ owner: drawn(), station: drawn() })
/** A password of letters, digits, - and _: it holds no quote. */
const drawn = () => randomBytes(24).toString('base64url')

/**
 * Starts the PostgreSQL of a store in a folder, on loopback and on an address that other computers reach over TLS only. Makes
 * its database at the first start. Rejects with CannotStart.
 */
export async function startHosted(parts: HostedParts): Promise<Server> {
  const { programs, folder, port, address, tls, passwords, onLog } = parts
  try {
    makeHostedFolder(folder)
    const rules = join(folder, 'pg_hba.conf')
    writeWhole(rules, rulesOf(address !== null && tls !== undefined), 0o600)
    giveToServer(rules)
    const hosts = address === null || address === loopback ? [loopback] : [loopback, address]
    const data = dataOf(folder)
    const seen = (file: string) => relative(data, file)
    return await startServer({
      binaries: programs,
      folder: data,
      port,
      hosts,
      user: owner,
      password: passwords.owner,
      rules,
      settings: {
        password_encryption: 'scram-sha-256',
        ...(tls && { ssl: 'on', ssl_cert_file: seen(tls.certificate), ssl_key_file: seen(tls.key) }),
      },
      first: [
        `CREATE ROLE ${hostedUser} LOGIN PASSWORD '${passwords.station}'`,
        `CREATE DATABASE ${hostedDatabase} OWNER ${hostedUser}`,
        ...['postgres', 'template1', hostedDatabase].map((name) => `REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC`),
      ],
      ...(onLog && { onLog }),
    })
  } catch (cause) {
    if (cause instanceof CannotStart) throw cause
    const said = cause instanceof Error ? cause.message : String(cause)
    throw new CannotStart(reasonOf(said), said, { cause })
  }
}

export function makeHostedFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // PostgreSQL refuses to run as root: then it runs as another user, who has to get to the files beside its data.
  if (isRoot()) chmodSync(folder, 0o711)
}

/** Who may connect: https://www.postgresql.org/docs/current/auth-pg-hba-conf.html */
const rulesOf = (isOpen: boolean) =>
  [
    `host all ${owner} ${loopback}/32 scram-sha-256`,
    `host ${hostedDatabase} ${hostedUser} ${loopback}/32 scram-sha-256`,
    ...(isOpen ? [`hostssl ${hostedDatabase} ${hostedUser} all scram-sha-256`] : []),
    '',
  ].join('\n')

const signs: readonly (readonly [HostingReason, RegExp])[] = [
  ['address', /Cannot assign requested address|Can't assign requested address|EADDRNOTAVAIL/],
  ['port', /Address already in use|could not bind|Only one usage of each socket address/],
  ['busy', /postmaster\.pid|pre-existing shared memory block/],
  ['version', /incompatible with server|initialized by PostgreSQL version/],
  ['full', /No space left on device|ENOSPC|not enough space on the disk/i],
  [
    'damaged',
    /valid checkpoint record|control file|pg_control|not a valid data directory|PANIC|invalid magic|could not (open|read|stat|access) (file|directory) "(base|global|pg_)/,
  ],
  ['permission', /Permission denied|EACCES|EPERM|EROFS|could not create|Read-only file system|has wrong ownership/],
  ['missing', /ENOENT/],
]

/** By PostgreSQL's last words, or the system's. */
export const reasonOf = (said: string): HostingReason => signs.find(([, sign]) => sign.test(said))?.[0] ?? 'other'
