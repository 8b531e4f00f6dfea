import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { first } from '../../../src-renderer/text/en/first'
import { later } from '../../../src-renderer/text/en/later'

const renderer = join(import.meta.dirname, '../../../src-renderer')

/** Of a whole module, and not of its types alone or of what is loaded later. */
const importOf = /^\s*import\s+(?!type\b)(?:[^'"]*?\sfrom\s+)?'(\.[^']+)'/gm

function fileOf(from: string, specifier: string): string | undefined {
  const target = join(dirname(from), specifier)
  return [target, `${target}.ts`].find((file) => /\.(?:ts|svelte)$/.test(file) && existsSync(file))
}

/** The components that are loaded before the page's later part. What models say early is shown once that part is there. */
function firstComponents(): string[] {
  const found = new Set([join(renderer, 'main.ts')])
  for (const file of found) {
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(importOf)) {
      const target = fileOf(file, specifier)
      if (target?.startsWith(renderer)) found.add(target)
    }
  }
  return [...found].filter((file) => file.endsWith('.svelte'))
}

const laterKeys = Object.keys(later)
const isLater = new Set<string>(laterKeys)
const isOfFirst = (head: string) => Object.keys(first).some((key) => key.startsWith(head))

/** The later texts that a file names, whole or by their beginning. */
function laterTextsIn(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const whole = [...text.matchAll(/'([a-z][\w-]*(?:\.[\w-]+)+)'/g)].flatMap(([, key = '']) =>
    isLater.has(key) ? [key] : [],
  )
  const begun = [...text.matchAll(/`([a-z][\w-]*(?:\.[\w-]+)*\.)\$\{/g)].flatMap(([, head = '']) =>
    !isOfFirst(head) && laterKeys.some((key) => key.startsWith(head)) ? [`${head}…`] : [],
  )
  return [...whole, ...begun]
}

describe('the texts that the page begins with', () => {
  it('are all that its first components name: a later one is empty until the later part is loaded', () => {
    const files = firstComponents()
    expect(files.some((file) => file.endsWith('ReceivingScreen.svelte'))).toBe(true)
    const early = files.flatMap((file) => laterTextsIn(file).map((key) => `${file.slice(renderer.length + 1)}: ${key}`))
    expect(early).toEqual([])
  })
})
