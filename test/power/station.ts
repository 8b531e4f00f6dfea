import process from 'node:process'
import { z } from 'zod'
import { chanceOf } from '../crash/chance'
import { practiceKnobs } from '../fakes/practice-admin'
import { backUp, migrateOthers, startNew } from './bare-scenes'
import { noteSending, openNotebook } from './notebook'
import { openShop } from './shop'

/** The traced process: one life of a station, with the real core. */

export const LifeOrder = z.object({
  /** The first ends in the middle of its work, the second as it should. */
  life: z.enum(['first', 'second']),
  dataDir: z.string(),
  resourcesDir: z.string(),
  notebookFile: z.string(),
  seed: z.number(),
  service: z.object({ baseUrl: z.string(), authUrl: z.string(), adminUrl: z.string() }),
})
export type LifeOrder = z.infer<typeof LifeOrder>

async function live(order: LifeOrder): Promise<void> {
  const chance = chanceOf('power', order.seed, order.life)
  Math.random = () => chance.next()
  const notebook = openNotebook(order.notebookFile)
  noteSending(notebook)
  const knobs = practiceKnobs(order.service.adminUrl)
  const scene = { ...order, notebook }

  if (order.life === 'first') {
    migrateOthers(scene)
    startNew(scene)
    const shop = await openShop(scene, 'migrating')
    shop.begin('opening')
    await shop.look()
    shop.begin('selling')
    await knobs.setFaults({ offline: true })
    await shop.sellOffline()
    shop.begin('settling')
    await knobs.setFaults({ rules: [{ kind: 'drop', when: 'after-commit', path: '/api/v1.2/transactions/', times: 3 }] })
    await shop.settle()
    shop.begin('selling')
    await shop.sellOnline()
    process.kill(process.pid, 'SIGKILL')
  }
  const shop = await openShop(scene, 'recovering')
  await shop.takeUp()
  await shop.close()
  await backUp(scene)
  const again = await openShop(scene, 'opening')
  again.begin('settling')
  await again.settle()
  await again.close()
  process.exit(0)
}

void live(LifeOrder.parse(JSON.parse(process.argv[2] ?? '')))
