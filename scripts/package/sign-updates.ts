import '../require-node.mjs'
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { z } from 'zod'
import { isSignedUpdate, signUpdate } from '../../src-main/electron/updates'

/** electron-builder's own YAML library: the updater reads with the same one. */
const require = createRequire(createRequire(resolve('package.json')).resolve('electron-updater'))
const Yaml = z.object({ load: z.custom<(text: string) => unknown>(), dump: z.custom<(value: unknown) => string>() })
const { load, dump } = Yaml.parse(require('js-yaml'))
const Description = z.record(z.string(), z.unknown())

/**
 * Signs every latest*.yml in that folder with a private key (PEM), and reads it back as the app will. Gives their names.
 * Throws if the key is not the other half of `publicKey`, which is in the package.
 */
export function signUpdates(folder: string, privateKey: string, publicKey: string): string[] {
  const own = createPublicKey(createPrivateKey(privateKey)).export({ format: 'der', type: 'spki' })
  if (own.toString('base64') !== publicKey) throw new Error('The private key does not belong to the public one.')
  const names = readdirSync(folder).filter((name) => /^latest.*\.yml$/.test(name))
  for (const name of names) {
    const file = join(folder, name)
    const description = Description.parse(load(readFileSync(file, 'utf8')))
    writeFileSync(file, dump({ ...description, signature: signUpdate(description, privateKey) }))
    if (!isSignedUpdate(load(readFileSync(file, 'utf8')), publicKey)) throw new Error(`${name} could not be signed.`)
  }
  return names
}

if (process.argv[1]?.endsWith('sign-updates.ts')) {
  const { COUNTERTAG_UPDATES_PRIVATE_KEY = '', COUNTERTAG_UPDATES_PUBLIC_KEY = '' } = process.env
  const names = signUpdates(process.argv[2] ?? '', COUNTERTAG_UPDATES_PRIVATE_KEY, COUNTERTAG_UPDATES_PUBLIC_KEY)
  console.log(names.length > 0 ? `Signed ${names.join(', ')}.` : 'There was no latest*.yml to sign.')
}
