import { win32 } from 'node:path'

export interface PolicyPlace {
  platform: NodeJS.Platform
  environment: NodeJS.ProcessEnv
  /** Of a package nothing in the environment decides which policy counts. */
  isPackaged: boolean
}

/** Where the policy of this computer is, whoever uses it. Only administrators may write there. */
export function policyFile({ platform, environment, isPackaged }: PolicyPlace): string {
  const { COUNTERTAG_POLICY: own = '', ProgramData: programData = '' } = environment
  if (!isPackaged && own !== '') return own
  if (platform === 'win32') {
    return win32.join(win32.isAbsolute(programData) ? programData : 'C:\\ProgramData', 'Countertag', 'policy.json')
  }
  return platform === 'darwin' ? '/Library/Application Support/Countertag/policy.json' : '/etc/countertag/policy.json'
}
