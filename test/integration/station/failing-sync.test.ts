import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { removeFolder } from '../../remove-folder'
import { idIn } from '../core/station'
import { killedStation } from './killed-station'

const isRequired = process.env['COUNTERTAG_STRACE'] === 'required'
const canTrace = process.platform === 'linux' && spawnSync('strace', ['--version']).status === 0

/** Lets every sync of these files fail with EIO in a process, until the returned function is called. */
async function failSyncs(pid: number, files: string[]): Promise<() => Promise<void>> {
  const paths = files.flatMap((file) => ['-P', file])
  const inject = ['-e', 'trace=fsync,fdatasync', '-e', 'inject=fsync,fdatasync:error=EIO']
  const strace = spawn('strace', ['-f', ...paths, ...inject, '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  await new Promise<void>((resolve, reject) => {
    strace.stderr.on('data', (data) => {
      said += String(data)
      if (said.includes('attached')) resolve()
    })
    strace.once('exit', () => {
      reject(new Error(said))
    })
  })
  return async () => {
    const ended = once(strace, 'exit')
    strace.kill('SIGINT')
    await ended
    expect(said).toContain('INJECTED')
  }
}

describe(
  'a whole station whose disk fails to sync, and that is killed once the disk is well',
  { timeout: 120_000 },
  () => {
    it.skipIf(!canTrace && !isRequired).each([
      ['after another change', 'AFTER'],
      ['at once', 'BEFORE'],
    ])('keeps what was answered with ok, and nothing else: killed %s', async (_, orderId) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'countertag sync ü '))
      const till = killedStation(dataDir)
      onTestFinished(async () => {
        await till.kill()
        await removeFolder(dataDir)
      })
      await till.start()
      await till.ask('practice.setFault', { fault: 'offline' })
      const tags = (await till.ask('practice.codes', undefined)).filter(({ kind }) => kind === 'tag')
      const items = tags.slice(-30).map(({ text }) => idIn(text))
      await till.ask('checkout.setOrder', { mode: 'sale', orderId: 'BEFORE' })
      for (const tagId of items) await till.ask('checkout.addItem', { mode: 'sale', tagId })
      const { revision, itemCount } = await till.ask('checkout.cart', { mode: 'sale' })
      expect(itemCount).toBe(30)

      const file = join(dataDir, 'practice', 'countertag.db')
      const recover = await failSyncs(till.pid(), [file, `${file}-wal`])
      const cart = { mode: 'sale', orderId: 'BEFORE', itemCount, revision, isMeant: true } as const
      const notSaved = { ok: false, error: { code: 'store/not-saved' } }
      expect(await till.invoke('checkout.finish', cart)).toEqual(notSaved)
      expect(await till.invoke('checkout.removeItem', { mode: 'sale', tagId: items[0] })).toEqual(notSaved)
      await recover()
      if (orderId === 'AFTER') await till.ask('checkout.setOrder', { mode: 'sale', orderId })
      await till.kill()

      await till.start()
      const { store, unsent, attention } = await till.ask('app.status', undefined)
      expect({ salvage: store.salvage, unsent, attention }).toEqual({ salvage: null, unsent: 0, attention: 0 })
      const after = await till.ask('checkout.cart', { mode: 'sale' })
      expect(after.orderId).toBe(orderId)
      expect(after.lines.flatMap((line) => line.items.map(({ tagId }) => tagId)).sort()).toEqual(items.sort())
      const { operations } = await till.ask('outbox.list', { show: 'recent' })
      expect(operations).toEqual([])
    })
  },
)
