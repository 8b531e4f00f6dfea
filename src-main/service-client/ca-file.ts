import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'

/** A list of authorities is some hundred kB; what is larger is no such file. */
const largest = 4_000_000

const blocks = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** The certificates in a PEM file; undefined when it can't be read, holds none, or holds one that is broken. */
export function readCaFile(file: string): string[] | undefined {
  try {
    const { size } = statSync(file)
    // A folder has a size too; reading it throws.
    if (size === 0 || size > largest) return undefined
    const found = readFileSync(file, 'utf8').match(blocks) ?? []
    for (const block of found) new X509Certificate(block)
    return found.length === 0 ? undefined : [...found]
  } catch {
    return undefined
  }
}
