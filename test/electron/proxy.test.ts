import { mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { clientOf, newFolder, openCountertag } from './countertag'

/** A proxy that records each target, and forwards nothing. */
async function startProxy() {
  const asked: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      asked.push(chunk.toString().split('\r\n')[0] ?? '')
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address: AddressInfo | string | null = server.address()
  return { asked, port: typeof address === 'object' && address ? address.port : 0 }
}

it('sends requests through the proxy that Chromium chooses for the address', async () => {
  const proxy = await startProxy()
  const userData = newFolder()
  mkdirSync(userData, { recursive: true })
  const profile = {
    kind: 'test',
    name: 'Main St',
    baseUrl: 'https://api.store.test',
    retailAuthUrl: 'https://tokens.store.test',
  }
  const station = {
    version: 1,
    active: 'practice',
    profiles: [{ id: 'main-st', profile }],
    security: { pin: null, autoLockMinutes: 15 },
  }
  writeFileSync(join(userData, 'station.json'), JSON.stringify(station))
  const electron = await openCountertag({ userData })
  const resolved: string[] = []
  electron.session.proxyOf = (url) => {
    resolved.push(url)
    return `PROXY 127.0.0.1:${proxy.port}; DIRECT`
  }
  const client = clientOf(electron)
  const credentials = { clientId: 'id', clientSecret: 'secret' }
  await client.call('profile.setCredentials', { id: 'main-st', product: 'retail', credentials, isSameStore: false })
  await client.call('profile.test', { id: 'main-st' })
  expect([resolved, proxy.asked]).toEqual([
    ['https://api.store.test/', 'https://tokens.store.test/'],
    ['CONNECT api.store.test:443 HTTP/1.1', 'CONNECT tokens.store.test:443 HTTP/1.1'],
  ])
})
