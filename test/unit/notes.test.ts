import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const notes = [
  ...globSync('{src-*/**,docs,test/**}/*.md', { cwd: root }),
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'README.md',
]

/** Files that the first column of a note's tables names, and those of other folders, relative to the note's folder. */
function filesNamed(text: string): string[] {
  const firstCells = [...text.matchAll(/^\| (`[^|]*?) +\|/gm)].map(([, cell = '']) => cell)
  const elsewhere = [...text.matchAll(/`\.\.\/[\w./-]+`/g)].map(([path]) => path)
  return [...firstCells, ...elsewhere].flatMap((cell) =>
    [...cell.matchAll(/`([\w./-]+\.(?:ts|svelte|md))`/g)].map(([, file = '']) => file),
  )
}

/** Files and folders that a text names by their whole path. */
const pathsNamed = (text: string): string[] =>
  [...text.matchAll(/`((?:src-[a-z]+|test|scripts|bench|docs|resources)\/[\w./-]+)`/g)].map(([, path = '']) => path)

/** Named as what a reader will add. */
const examples = ['src-renderer/text/fr/', 'test/fixtures/schemas/NNN.sql']

/** Relative links of a note. */
const linksOf = (text: string): string[] =>
  [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link = '']) => link)

describe('notes beside the code', () => {
  it.each(notes)('%s names files that exist', (note) => {
    const text = readFileSync(join(root, note), 'utf8')
    const names = [...linksOf(text), ...(note.startsWith('src-') ? filesNamed(text) : [])]
    expect(names.filter((name) => !existsSync(join(root, dirname(note), name)))).toEqual([])
    const paths = pathsNamed(text).filter((path) => !examples.includes(path))
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  it('finds files in tables and links', () => {
    expect(filesNamed('| `a.ts`, `b/c.ts` | which? |\n| --- | --- |\n| the `d.ts` | no |')).toEqual(['a.ts', 'b/c.ts'])
    expect(pathsNamed('`src-main/a.ts`, `test/b`, `a.ts`')).toEqual(['src-main/a.ts', 'test/b'])
    expect(linksOf('see [a](../a.md#x) and [b](https://b)')).toEqual(['../a.md'])
  })
})
