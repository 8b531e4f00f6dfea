import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const root = resolve(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')

/** electron-updater's own YAML. */
const require = createRequire(createRequire(join(root, 'package.json')).resolve('electron-updater'))
const { load } = z.object({ load: z.custom<(text: string) => unknown>() }).parse(require('js-yaml'))

const Step = z.strictObject({
  name: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
})
const Job = z.strictObject({
  strategy: z.strictObject({ 'fail-fast': z.boolean(), matrix: z.record(z.string(), z.array(z.string())) }).optional(),
  'runs-on': z.string(),
  'timeout-minutes': z.number(),
  steps: z.array(Step),
})
const Workflow = z.strictObject({
  name: z.string(),
  on: z.record(z.string(), z.unknown()),
  permissions: z.record(z.string(), z.string()),
  concurrency: z.object({ group: z.string() }),
  jobs: z.record(z.string(), Job),
})

describe('the workflow', () => {
  const { jobs, permissions } = Workflow.parse(load(read('.github/workflows/check.yml')))
  const job = (name: string) => Job.parse(jobs[name])
  const steps = Object.values(jobs).flatMap((each) => each.steps)

  it('checks, tests and packages apart: no job waits for another, and none ends the others of its matrix', () => {
    // `needs` is not in the schema above.
    expect(Object.keys(jobs)).toEqual(['check', 'test', 'suites', 'runtime', 'package'])
    for (const { strategy } of Object.values(jobs)) expect(strategy?.['fail-fast'] ?? false).toBe(false)
  })

  it('may read the repository and nothing else, and pins what it uses by commit', () => {
    expect(permissions).toEqual({ contents: 'read' })
    for (const { uses, with: given } of steps) {
      if (uses === undefined) continue
      expect(uses).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/)
      if (uses.startsWith('actions/checkout')) expect(given).toEqual({ 'persist-credentials': false })
    }
  })

  it('runs scripts that there are', () => {
    const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read('package.json')))
    const suites = job('suites').strategy?.matrix.suite ?? []
    const run = [...steps.map((step) => step.run ?? ''), ...suites.map((suite) => `npm run ${suite}`)].join('\n')
    const names = [...run.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name)
    expect(names.length).toBeGreaterThan(7)
    expect(names.filter((name) => scripts[name] === undefined)).toEqual([])
  })

  it('looks at the app in the runtime, and packages it, on every system that it is for', () => {
    const systems = ['ubuntu-latest', 'windows-latest', 'windows-11-arm', 'macos-latest', 'macos-15-intel']
    expect(job('runtime').strategy?.matrix.os).toEqual(systems)
    expect(job('package').strategy?.matrix.os).toEqual(systems)
  })

  it('keeps pictures and logs of the runtime, also of one that failed', () => {
    const kept = job('runtime').steps.find(({ uses }) => uses?.includes('upload-artifact'))
    expect(kept).toMatchObject({ if: '${{ !cancelled() }}', with: { path: 'test-results' } })
    const config = read('playwright.electron.config.ts')
    expect([...config.matchAll(/outputDir: '([^/']+)\/\w+'/g)].map(([, folder]) => folder)).toEqual([
      'test-results',
      'test-results',
    ])
  })

  it('uploads every kind of installer that is made', () => {
    const path = job('package').steps.at(-1)?.with?.path
    for (const kind of ['exe', 'msi', 'dmg', 'zip', 'AppImage', 'deb'])
      expect(path).toContain(`out/packages/*.${kind}\n`)
  })
})

describe('the updates of dependencies', () => {
  const Update = z.object({
    'package-ecosystem': z.string(),
    directory: z.literal('/').optional(),
    directories: z.tuple([z.literal('/'), z.literal('/scripts/package')]).optional(),
    schedule: z.object({ interval: z.string() }),
    'versioning-strategy': z.string().optional(),
    cooldown: z.object({ 'default-days': z.number(), exclude: z.array(z.string()) }).optional(),
    groups: z.record(
      z.string(),
      z.object({ patterns: z.array(z.string()), 'exclude-patterns': z.array(z.string()).optional() }),
    ),
  })
  const { updates } = z
    .object({ version: z.literal(2), updates: z.array(Update) })
    .parse(load(read('.github/dependabot.yml')))

  it('are looked for by package, and by action; Electron comes daily and alone, the others a week after their release', () => {
    expect(updates.map((update) => [update['package-ecosystem'], update.schedule.interval])).toEqual([
      ['npm', 'daily'],
      ['github-actions', 'weekly'],
    ])
    expect(updates[0]).toMatchObject({
      'versioning-strategy': 'increase',
      cooldown: { 'default-days': 7, exclude: ['electron'] },
      groups: { electron: { patterns: ['electron'] }, others: { patterns: ['*'], 'exclude-patterns': ['electron'] } },
    })
  })

  it.each(['package.json', 'scripts/package/package.json'])('find exact versions in %s', (file) => {
    const Versions = z.record(z.string(), z.string())
    const { dependencies, devDependencies } = z
      .object({ dependencies: Versions, devDependencies: Versions.default({}) })
      .parse(JSON.parse(read(file)))
    const inexact = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^(npm:@?[\w/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
    )
    expect(inexact).toEqual([])
  })
})
