import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startRunService, writeTemplate } from '../crash/service'
import { linesIn } from '../power/notebook'
import { type Verdict, judgeLife, profileFolder } from './judge'
import { type Before, type Life, type LifeOrder, beforeOf, befores, lives } from './lives'
import { type Planned, type Reached, reachedIn } from './plan'
import { type End, runStation } from './strace'

/** Everything that the runs share. */
export interface Stand {
  root: string
  /** The suite's own folder. */
  folder: string
  bundle: string
  seed: number
}

interface Places {
  dataDir: string
  notebookFile: string
  log: string
}
const placesIn = (folder: string): Places => ({
  dataDir: join(folder, 'data'),
  notebookFile: join(folder, 'notebook.jsonl'),
  log: join(folder, 'strace.log'),
})
const beforeIn = (stand: Stand, before: Before) => join(stand.folder, before)

/** Lets the lives before happen. Throws if one of them fails. */
export async function prepare(stand: Stand): Promise<void> {
  const template = writeTemplate(stand.folder)
  for (const before of befores) {
    const folder = beforeIn(stand, before)
    mkdirSync(folder)
    const service = await startRunService(template, folder)
    try {
      const end = await liveIn(stand, folder, before, service, {})
      const isAsMeant = before === 'killed' ? end.signal === 'SIGKILL' : end.code === 0
      if (!isAsMeant || end.out !== '') {
        throw new Error(`the ${before} life ended with ${end.code ?? end.signal}: ${end.said}${end.out}`)
      }
    } finally {
      await service.close()
    }
  }
}

/** Each life once without errors: what can fail. Throws if the judge complains of one. */
export async function explore(stand: Stand): Promise<Map<Life, Reached>> {
  const reached = new Map<Life, Reached>()
  for (const life of lives) {
    const folder = join(stand.folder, `explored-${life}`)
    const { end, verdict } = await tryLife(stand, folder, life, {})
    if (verdict.complaints.length > 0 || end.signal !== 'SIGKILL') {
      throw new Error(`the ${life} life without errors: ${JSON.stringify(verdict.complaints)} ${end.said}`)
    }
    const { log, dataDir } = placesIn(folder)
    reached.set(life, reachedIn(readFileSync(log, 'utf8'), dataDir, life !== 'starting'))
  }
  return reached
}

/** One run: a life with an error of the disk, then the judge. */
export async function runOne(
  stand: Stand,
  planned: Planned,
  { paths }: Reached,
): Promise<{ verdict: Verdict; folder: string; wasReached: boolean }> {
  const folder = join(stand.folder, `run-${planned.number}`)
  const { dataDir, log } = placesIn(folder)
  const { verdict } = await tryLife(stand, folder, planned.life, {
    paths: paths.map((path) => join(dataDir, path)),
    injection: planned,
    isShort: planned.kill === 'soon',
  })
  return { verdict, folder, wasReached: readFileSync(log, 'utf8').includes('(INJECTED)') }
}

type Disk = Omit<Parameters<typeof runStation>[0], 'args' | 'log'> & { isShort?: boolean }

async function tryLife(stand: Stand, folder: string, life: Life, disk: Disk) {
  rmSync(folder, { recursive: true, force: true })
  const found = beforeIn(stand, beforeOf(life))
  cpSync(found, folder, { recursive: true, preserveTimestamps: true })
  const { dataDir, notebookFile } = placesIn(folder)
  const before = linesOf(notebookFile).length
  const service = await startRunService(join(found, 'service.db'), folder)
  try {
    if (life !== 'online') await service.admin.setFaults({ offline: true })
    const end = await liveIn(stand, folder, life, service, disk)
    const data = join(dataDir, profileFolder)
    const verdict = judgeLife({ folder: data, lines: linesOf(notebookFile), before, end })
    return { end, verdict }
  } finally {
    await service.close()
  }
}

const linesOf = (file: string) => linesIn(readFileSync(file, 'utf8')).lines

function liveIn(
  { root, bundle, seed }: Stand,
  folder: string,
  life: LifeOrder['life'],
  { baseUrl, authUrl, adminUrl }: LifeOrder['service'],
  { isShort = false, ...disk }: Disk,
): Promise<End> {
  const { dataDir, notebookFile, log } = placesIn(folder)
  const service = { baseUrl, authUrl, adminUrl }
  const resourcesDir = join(root, 'resources')
  const order: LifeOrder = { life, dataDir, resourcesDir, notebookFile, seed, isShort, service }
  return runStation({ args: [bundle, JSON.stringify(order)], log, ...disk })
}
