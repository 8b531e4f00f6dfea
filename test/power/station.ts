import process from 'node:process'
import { chanceOf } from '../crash/chance'
import { practiceKnobs } from '../fakes/practice-admin'
import { backUp, damage, migrateOthers, startNew } from './bare-scenes'
import { LifeOrder, noteSending, openNotebook } from './notebook'
import { type Scene, openShop } from './shop'

/** The traced process: one life of a station, with the real core. */

async function live(order: LifeOrder): Promise<void> {
  const { life, seed, notebookFile } = order
  const chance = chanceOf('power', seed, life)
  // The jitter of the station's pauses comes from the seed as well.
  Math.random = () => chance.next()
  const notebook = openNotebook(notebookFile)
  noteSending(notebook)
  const scene = { ...order, notebook }
  switch (life) {
    case 'first':
      await sellAndFall(scene)
      break
    case 'second':
      await recoverAndBackUp(scene)
      break
    case 'third':
      await mend(scene)
  }
  process.exit(0)
}

async function sellAndFall(scene: Scene): Promise<void> {
  const knobs = practiceKnobs(scene.service.adminUrl)
  migrateOthers(scene)
  startNew(scene)
  const shop = await openShop(scene, 'migrating')
  shop.begin('opening')
  await shop.lookAround()
  shop.begin('selling')
  await knobs.setFaults({ offline: true })
  await shop.sellOffline()
  shop.begin('settling')
  const path = '/api/v1.2/transactions/'
  await knobs.setFaults({ rules: [{ kind: 'drop', when: 'after-commit', path, times: 3 }] })
  await shop.settle()
  shop.begin('selling')
  await shop.sellOnline()
  process.kill(process.pid, 'SIGKILL')
}

async function recoverAndBackUp(scene: Scene): Promise<void> {
  const shop = await openShop(scene, 'recovering')
  await shop.takeUp(1)
  await shop.close()
  await backUp(scene)
  const again = await openShop(scene, 'opening')
  again.begin('settling')
  await again.settle()
  await again.close()
}

async function mend(scene: Scene): Promise<void> {
  damage(scene)
  const shop = await openShop(scene, 'mending')
  shop.begin('recovering')
  await shop.takeUp(2)
  await shop.close()
}

void live(LifeOrder.parse(JSON.parse(process.argv[2] ?? '')))
