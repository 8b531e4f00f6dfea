import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { isPermissive, licencesText, packageOf } from '../../scripts/package/licences'
import { clientOf, openCountertag } from './countertag'
import { root } from './root'

const file = join(root, 'out/licences.txt')
const read = () => {
  if (!existsSync(file)) throw new Error('out/ is missing: run `npm run build` first')
  return readFileSync(file, 'utf8')
}
const listed = (text: string) =>
  [...(text.split('\n\n')[1] ?? '').matchAll(/^(\S+) (\S+) \((.+)\)$/gm)].map(
    ([, name = '', version = '', license = '']) => ({
      name,
      version,
      license,
    }),
  )

const Lock = z.object({ packages: z.record(z.string(), z.looseObject({ dev: z.boolean().optional() })) })
/** Every package that the lock file installs for production, except packages only for compiling. */
const production = () =>
  Object.entries(Lock.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))).packages)
    .filter(([path, { dev }]) => path !== '' && !dev && existsSync(join(root, path)))
    .map(([path]) => path.replace(/^.*node_modules\//, ''))
    .filter((name) => !name.startsWith('@types/') && name !== 'node-addon-api')

/** Packages that our own code imports, as written; packages with only types are not shipped. */
function imported(): Set<string> {
  const names = new Set<string>()
  for (const side of ['src-shared', 'src-main', 'src-practice', 'src-renderer']) {
    for (const path of readdirSync(join(root, side), { recursive: true, encoding: 'utf8' })) {
      if (!/\.(ts|svelte)$/.test(path) || path.startsWith('gallery')) continue
      const text = readFileSync(join(root, side, path), 'utf8')
      for (const [, name = ''] of text.matchAll(
        /^\s*import (?!type )[^'\n]*?(?:from )?'((?:@[\w-]+\/)?[\w-]+)[^']*'/gm,
      ))
        names.add(name)
    }
  }
  for (const name of [...builtinModules, 'electron', 'node', 'vite']) names.delete(name)
  return names
}

/** `keytar` is an alias of another package. */
const nameOf = (folder: string) =>
  z
    .object({ name: z.string() })
    .parse(JSON.parse(readFileSync(join(root, 'node_modules', folder, 'package.json'), 'utf8'))).name

describe('third-party licenses', () => {
  it('list every package that is installed for production', () => {
    const names = listed(read()).map(({ name }) => name)
    expect(production().length).toBeGreaterThan(5)
    for (const folder of production()) expect(names).toContain(nameOf(folder))
  })

  it('list every package that our code takes into its bundles, and Electron', () => {
    const names = listed(read()).map(({ name }) => name)
    expect(imported().size).toBeGreaterThan(8)
    for (const folder of [...imported(), 'electron', 'electron-updater']) expect(names).toContain(nameOf(folder))
  })

  it('are all permissive', () => {
    expect(listed(read()).filter(({ license }) => !isPermissive(license))).toEqual([])
  })

  it('include their texts', () => {
    const text = read()
    for (const { name, version, license } of listed(text))
      expect(text).toContain(`\n${name} ${version}\n${license}\n\n`)
    expect(text.match(/Permission is hereby granted/g)?.length).toBeGreaterThan(10)
    expect(text).not.toContain(root)
  })

  it.each([
    ['MIT', true],
    ['(MIT OR X11)', true],
    ['(MPL-2.0 OR Apache-2.0)', true],
    ['Apache-2.0 AND MIT', true],
    ['MIT AND GPL-3.0', false],
    ['GPL-3.0-only', false],
    ['not stated', false],
  ])('%s is permissive: %s', (license, isSo) => {
    expect(isPermissive(license)).toBe(isSo)
  })

  it('are found through the modules of a bundle', () => {
    const modules = join(root, 'node_modules')
    expect(packageOf(root, join(modules, 'zod/v4/core/index.js'))).toBe(join(modules, 'zod'))
    expect(packageOf(root, `${join(modules, '@lucide/svelte/dist/x.svelte')}?svelte&type=style`)).toBe(
      join(modules, '@lucide/svelte'),
    )
    expect(packageOf(root, join(modules, 'one/node_modules/two/x.js'))).toBe(join(modules, 'one/node_modules/two'))
    expect(packageOf(root, '\0vite/preload-helper.js')).toBe(join(modules, 'vite'))
    expect(packageOf(root, join(root, 'src-main/app/compose.ts'))).toBeUndefined()
    expect(licencesText(root, [join(modules, 'zod')])).toMatch(/^zod \S+ \(MIT\)$/m)
  })

  it('are available in About', async () => {
    const answer = await clientOf(await openCountertag()).call('support.licences', undefined)
    expect(answer).toEqual({ ok: true, value: { fileName: 'countertag-licences.txt', text: read() } })
  })
})
