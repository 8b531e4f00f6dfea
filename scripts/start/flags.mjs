import { resolve } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'

/**
 * @typedef {object} Flags
 * @property {boolean} browser use the browser host, whether Electron is there or not
 * @property {boolean} download try the download of Electron's runtime, though it failed within the last day
 * @property {boolean} dev the browser host from its sources, with hot reload
 * @property {string[]} electron flags for the Electron host
 * @property {string[]} host flags for the browser host
 */

export const flagList = `Flags, after \`npm start --\`:
  --browser            open it in the browser instead of Electron
  --download           try again to download Electron's runtime; after a failure it is tried once a day
  --port N             port of the browser host; 0, the default, picks a free one
  --no-open            do not open a browser, only print the address
  --data-dir DIR       keep the data of this station in DIR
  --profile practice   work with the practice service, this once`

/** @type {import('node:util').ParseArgsConfig['options']} */
const options = {
  browser: { type: 'boolean' },
  download: { type: 'boolean' },
  dev: { type: 'boolean' },
  port: { type: 'string' },
  'no-open': { type: 'boolean' },
  'data-dir': { type: 'string' },
  profile: { type: 'string' },
}

/**
 * Reads the command line: the flags, or one sentence that says what is wrong with them.
 *
 * @param {string[]} args
 * @returns {{ flags: Flags } | { problem: string }}
 */
export function readFlags(args) {
  const { tokens } = parseArgs({ args, options, strict: false, allowPositionals: true, tokens: true })
  /** @type {Map<string, string>} */
  const given = new Map()
  for (const token of tokens) {
    if (token.kind === 'positional') return { problem: `"${token.value}" is not a flag.` }
    if (token.kind === 'option-terminator') continue
    const option = options[token.name]
    if (option === undefined || token.rawName !== `--${token.name}`) {
      return { problem: `There is no flag ${token.rawName}.` }
    }
    if (option.type === 'boolean' && token.value !== undefined) return { problem: `${token.rawName} takes no value.` }
    // `--data-dir --no-open` is a missing value, not a folder with that name.
    if (option.type === 'string' && (!token.value || (!token.inlineValue && token.value.startsWith('--')))) {
      return { problem: `${token.rawName} needs a value.` }
    }
    given.set(token.name, token.value ?? '')
  }
  return read(given)
}

/** @param {Map<string, string>} given */
function read(given) {
  const port = given.get('port')
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) < 65536)) {
    return { problem: `--port takes a number from 0 to 65535, not "${port}".` }
  }
  const profile = given.get('profile')
  if (profile !== undefined && profile !== 'practice') {
    return { problem: `--profile takes "practice", not "${profile}".` }
  }
  const dataDir = given.get('data-dir')
  const both = [
    // npm starts us in the package's folder; typed paths are relative to the folder where they were typed.
    ...(dataDir === undefined ? [] : ['--data-dir', resolve(process.env.INIT_CWD ?? process.cwd(), dataDir)]),
    ...(profile === undefined ? [] : ['--profile', profile]),
  ]
  const host = [
    ...both,
    ...(port === undefined ? [] : ['--port', port]),
    ...(given.has('no-open') ? ['--no-open'] : []),
  ]
  const [browser, download, dev] = [given.has('browser'), given.has('download'), given.has('dev')]
  return { flags: { browser, download, dev, electron: both, host } }
}
