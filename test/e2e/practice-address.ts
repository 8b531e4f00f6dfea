import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { z } from 'zod'

const Practice = z.object({ adminUrl: z.string() })

/** The address of the practice service's admin API; an app that isn't packaged prints it when asked to. */
export async function practiceAddress({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('what the app says cannot be read')
  for await (const line of createInterface({ input: stdout })) {
    const practice = /^Practice service: (.*)$/.exec(line)?.[1]
    if (practice === undefined) continue
    // Keeps reading, so that the app never blocks on a full pipe.
    stdout.resume()
    return Practice.parse(JSON.parse(practice)).adminUrl
  }
  throw new Error('the app ended before it was ready')
}
