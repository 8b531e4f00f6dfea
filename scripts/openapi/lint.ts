import { execFile } from 'node:child_process'
import { join } from 'node:path'

const cli = join(import.meta.dirname, '..', '..', 'node_modules', '@redocly', 'cli', 'bin', 'cli.js')

/** What the validator says of a document: whether it is right, and its findings. It asks nobody on the network. */
export function lint(file: string): Promise<{ isValid: boolean; findings: string }> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [cli, 'lint', file, '--extends=spec', '--format=stylish'],
      { env, timeout: 60_000 },
      (error, out, err) => {
        resolve({ isValid: error === null, findings: `${out}${err}`.trim() })
      },
    )
  })
}
