import { osKeychain } from '../../../src-main/credentials/os-keychain'

/**
 * A separate process with the keychain of its session. Each argument is one step ("read a", "write a text", "remove
 * a"); each printed line is its result.
 */
const keychain = osKeychain()

for (const step of process.argv.slice(2)) {
  const [what, account = '', ...words] = step.split(' ')
  const doing = {
    read: () => keychain.read(account),
    write: () => keychain.write(account, words.join(' ')),
    remove: () => keychain.remove(account),
  }
  const isStep = (name: string | undefined): name is keyof typeof doing => name !== undefined && name in doing
  if (!isStep(what)) throw new Error(`no such step: ${step}`)
  process.stdout.write(`${JSON.stringify(await doing[what]())}\n`)
}
// The library leaves a thread running on some systems.
process.exit(0)
