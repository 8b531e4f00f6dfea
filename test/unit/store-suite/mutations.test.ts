import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { mutations } from '../../store/faults'

it.each(mutations)('the deliberate fault "$name" can be made', ({ file, text }) => {
  const code = readFileSync(join(import.meta.dirname, '../../..', file), 'utf8')
  expect(code.split(text)).toHaveLength(2)
})
