import type { Text } from '../../text/text.svelte'
import type { CameraProblem } from './camera.svelte'

/** The page's surroundings, which decide where the camera is allowed. */
interface CameraSurroundings {
  /** In the installed app, which itself allows the camera: only the operating system can refuse it. */
  isApp: boolean
  userAgent: string
}

/** What is wrong with the camera, and what helps. */
export function problemText(
  problem: CameraProblem,
  { isApp, userAgent }: CameraSurroundings,
): { title: Text; next: Text } {
  const isDenied = problem === 'denied' || problem === 'blocked'
  if (!isDenied) return { title: { key: `camera.${problem}` }, next: { key: `camera.${problem}.next` } }
  const where = problem === 'denied' && !isApp ? 'browser' : systemOf(userAgent)
  return {
    title: { key: 'camera.denied' },
    next: { key: 'camera.denied.next', values: { where, program: isApp ? 'app' : 'browser' } },
  }
}

function systemOf(userAgent: string): 'mac' | 'windows' | 'other' {
  if (userAgent.includes('Macintosh')) return 'mac'
  return userAgent.includes('Windows') ? 'windows' : 'other'
}
