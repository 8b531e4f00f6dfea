import { existsSync, readFileSync } from 'node:fs'
import { win32 } from 'node:path'
import process from 'node:process'
import type { z } from 'zod'
import { AppStartError } from '../store/start-error'
import { Policy } from './policy'

export interface PolicyPlace {
  platform: NodeJS.Platform
  environment: NodeJS.ProcessEnv
  /** COUNTERTAG_POLICY counts only from a checkout. */
  isPackaged: boolean
  /** Whether a folder exists; tests give their own. */
  isFolder?: (path: string) => boolean
}

const usualProgramData = 'C:\\ProgramData'

/** The file with the policy of this computer. IT makes sure that only administrators can write to its folder (docs/policy.md). */
export function policyFile({ platform, environment, isPackaged, isFolder = existsSync }: PolicyPlace): string {
  const { COUNTERTAG_POLICY: own = '', ProgramData: programData = '' } = environment
  if (!isPackaged && own !== '') return own
  if (platform === 'win32') {
    // A user can set the environment of a package, so it counts only if Windows isn't installed on C.
    const usesEnvironment = win32.isAbsolute(programData) && (!isPackaged || !isFolder(usualProgramData))
    return win32.join(usesEnvironment ? programData : usualProgramData, 'Countertag', 'policy.json')
  }
  return platform === 'darwin' ? '/Library/Application Support/Countertag/policy.json' : '/etc/countertag/policy.json'
}

/** The policy of this computer. Throws as `readPolicy` does. */
export const policyOfComputer = (place: Pick<PolicyPlace, 'isPackaged'>): Policy | undefined =>
  readPolicy(policyFile({ platform: process.platform, environment: process.env, ...place }))

/** Far more than a policy needs. */
const longest = 100_000

/**
 * The policy in that file; undefined when there is none. Throws AppStartError `policy/invalid`, which names the file, the
 * field and what is wrong with it: half a policy is none that IT decided on.
 */
export function readPolicy(file: string): Policy | undefined {
  const text = textOf(file)
  if (text === undefined) return undefined
  if (text.length > longest) throw invalid(file, 'it is longer than 100,000 characters')
  const policy = Policy.safeParse(jsonOf(file, text))
  if (policy.success) return policy.data
  throw invalid(file, policy.error.issues.flatMap(explain).join('; '))
}

const invalid = (file: string, what: string, cause?: unknown) =>
  new AppStartError('policy/invalid', `The policy in ${file} can't be used: ${what}.`, { cause })

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw invalid(file, `it can't be read (${code})`, cause)
  }
}

function jsonOf(file: string, text: string): unknown {
  try {
    // Windows editors put a mark before the first letter.
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    const said = cause instanceof Error ? cause.message.replaceAll(/\s+/g, ' ') : 'unknown'
    throw invalid(file, `it is not JSON (${said})`, cause)
  }
}

/** What the checks of the connection's form say, as a sentence about a field. */
const sentences: Record<string, string> = {
  https: 'must be an https address without a password, ? or #',
  'one account at least': 'retailAuthUrl or sourcingAuthUrl is needed',
  'not on this computer': 'a production service is never on this computer',
}

function explain({ path, ...issue }: z.core.$ZodIssue): string[] {
  const field = path.map(String).join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${[field, key].filter((part) => part !== '').join('.')}: unknown field`)
  }
  return [`${field === '' ? 'the file' : field}: ${sentences[issue.message] ?? issue.message}`]
}
