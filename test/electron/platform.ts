import { onTestFinished } from 'vitest'

/** Has the rest of the test run as on another system. */
export function beOn(platform: string): void {
  const usual = process.platform
  Object.defineProperty(process, 'platform', { value: platform })
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: usual }))
}
