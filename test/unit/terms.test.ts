import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
// Read from the folders: a copy of the project without its history has to pass as well.
const folders = readdirSync(root).filter((name) => /^src-|^(docs|scripts|bench)$/.test(name))
const files = [
  ...readdirSync(root),
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  ),
].filter((file) => /\.(ts|svelte|md)$/.test(file) && file !== 'CHANGELOG.md')

/** The lines that are comments or prose. */
const proseOf = (file: string): string[] => {
  const lines = readFileSync(join(root, file), 'utf8').split('\n')
  return file.endsWith('.md') ? lines : lines.filter((line) => /^\s*(\/\*\*|\*|\/\/)/.test(line))
}

it.each([
  // `nobody` is the user that runs PostgreSQL for root.
  ['says the noun', /(?<!`)\b(nobody|whoever|somebody)\b(?!`)/i, []],
  ['is a whole sentence', /^\s*(\/\*\*|\/\/) (The same (of|for|from|in|at|after|where)|As of|Whose)\b/, []],
] as [string, RegExp, string[]][])('every comment %s', (_what, words, but) => {
  const found = files.flatMap((file) =>
    but.includes(file) ? [] : proseOf(file).flatMap((line) => (words.test(line) ? [`${file}: ${line.trim()}`] : [])),
  )
  expect(found).toEqual([])
})
