import { existsSync } from 'node:fs'
import { win32 } from 'node:path'

export interface PolicyPlace {
  platform: NodeJS.Platform
  environment: NodeJS.ProcessEnv
  /** Of a package nothing in the environment decides which policy counts. */
  isPackaged: boolean
  /** Whether there is such a folder; left out, it is looked for. */
  isFolder?: (path: string) => boolean
}

const usual = 'C:\\ProgramData'

/**
 * Where the policy of this computer is, whoever uses it. In a folder that only administrators may write to: on Windows IT makes
 * it so (docs/policy.md).
 */
export function policyFile({ platform, environment, isPackaged, isFolder = existsSync }: PolicyPlace): string {
  const { COUNTERTAG_POLICY: own = '', ProgramData: programData = '' } = environment
  if (!isPackaged && own !== '') return own
  if (platform === 'win32') {
    // Whoever starts a package sets its environment: that counts only where Windows is not on C.
    const usesEnvironment = win32.isAbsolute(programData) && (!isPackaged || !isFolder(usual))
    return win32.join(usesEnvironment ? programData : usual, 'Countertag', 'policy.json')
  }
  return platform === 'darwin' ? '/Library/Application Support/Countertag/policy.json' : '/etc/countertag/policy.json'
}
