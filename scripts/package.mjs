import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { build } from './build.mjs'
import { runNode } from './child.mjs'
import { requireNode } from './node-version.mjs'
import { electronRuntime } from './start/runtime.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const output = join(root, 'out/packages')

/**
 * Packages the app for the system it runs on. Resolves with the exit code.
 *
 * @param {string[]} args what electron-builder is to be told besides, as --dir
 */
async function pack(args) {
  const missing = missingForUpdates(process.env)
  if (missing) return refuse(missing)
  const foreign = args.find((arg) =>
    /^(--(win|windows|mac|macos|linux|ia32|armv7l|universal|publish)\b|-[wmlp])/.test(arg),
  )
  // The package would contain another system's runtime and native modules.
  if (foreign)
    return refuse(`${foreign} is not possible: a package is made on the system that it is for, and not uploaded`)

  // Packaging needs the runtime, so a failed download is tried again.
  const runtime = await electronRuntime(root, { again: true })
  if ('reason' in runtime) return refuse(`Electron's runtime could not be downloaded (${runtime.reason})`)
  if (!(await build(root))) return 1
  saySigning(process.platform, process.env)

  const dist = process.env.ELECTRON_OVERRIDE_DIST_PATH || join(root, 'node_modules/electron/dist')
  const { code } = await runNode(
    [
      join(root, 'scripts/package/node_modules/electron-builder/cli.js'),
      ...['--config', 'electron-builder.config.ts', '--publish', 'never', `--${process.arch}`],
      `-c.electronDist=${dist}`,
      ...args,
    ],
    { cwd: root },
  )
  if (code !== 0 || !process.env.COUNTERTAG_UPDATES_URL || args.includes('--dir')) return code
  return (await runNode(['--import', 'tsx', 'scripts/package/sign-updates.ts', output], { cwd: root })).code
}

/**
 * A package that looks for updates and could verify none, or one that is never signed, is not made.
 *
 * @param {NodeJS.ProcessEnv} env
 */
function missingForUpdates(env) {
  if (!env.COUNTERTAG_UPDATES_URL) return undefined
  const needed = ['COUNTERTAG_UPDATES_PUBLIC_KEY', 'COUNTERTAG_UPDATES_PRIVATE_KEY'].filter((name) => !env[name])
  return needed.length > 0 ? `COUNTERTAG_UPDATES_URL is set, but not ${needed.join(' and ')}` : undefined
}

/**
 * @param {string} platform
 * @param {NodeJS.ProcessEnv} env
 */
function saySigning(platform, env) {
  if (platform === 'linux') return
  if (!env.CSC_LINK && !env.CSC_NAME) return console.log('Not signed: neither CSC_LINK nor CSC_NAME is set.')
  if (platform === 'darwin' && !env.APPLE_API_KEY && !env.APPLE_ID) {
    console.log('Not notarised: neither APPLE_API_KEY nor APPLE_ID is set.')
  }
}

/** @param {string} reason */
function refuse(reason) {
  console.error(`Countertag cannot be packaged here: ${reason}.`)
  return 1
}

requireNode()
process.exitCode = await pack(process.argv.slice(2))
