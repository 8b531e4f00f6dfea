import { appendFileSync, mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Line, openLedger, readLedger } from '../../crash/ledger'

describe('a ledger whose process was killed', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countertag-'))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })
  const line: Line = { line: 'evening' }

  it('in the middle of a line keeps the lines before it, and those of the next process', () => {
    const file = join(folder, 'ledger.jsonl')
    const first = openLedger(file)
    first.write(line)
    first.close()
    const whole = JSON.stringify(line)
    for (const cut of [1, whole.length - 1, whole.length]) {
      appendFileSync(file, whole.slice(0, cut))
      const next = openLedger(file)
      expect(next.before).toEqual([line])
      next.write(line)
      next.close()
      expect(readLedger(file)).toEqual([line, line])
      truncateSync(file, whole.length + 1)
    }
  })
})
