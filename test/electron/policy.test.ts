import fs, { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { clientOf, newFolder, openCountertag, quit } from './countertag'
import { answerLateRequires, bePackaged } from './platform'

/** An IT policy, where an unpackaged app finds it. */
function putPolicy(policy: object) {
  const file = join(newFolder(), 'policy.json')
  writeFileSync(file, JSON.stringify(policy))
  vi.stubEnv('COUNTERTAG_POLICY', file)
  onTestFinished(() => void vi.unstubAllEnvs())
  return file
}

const profile = { name: 'Green Door', baseUrl: 'https://service.test', retailAuthUrl: 'https://retail.test' }

describe("IT's policy", () => {
  it('sets the connection that the app opens with', async () => {
    putPolicy({ profile, lock: { afterMinutes: 5 } })
    const client = clientOf(await openCountertag())
    expect(await client.call('app.status', undefined)).toMatchObject({ value: { profile: { name: 'Green Door' } } })
    expect(await client.call('security.view', undefined)).toMatchObject({ value: { autoLockMinutes: 5 } })
  })

  it('with an error opens nothing: a page names the file and the field, and the app ends with code 1', async () => {
    const said = vi.spyOn(console, 'error').mockReturnValue()
    onTestFinished(() => {
      said.mockRestore()
    })
    const file = putPolicy({ profile: { ...profile, baseURL: 'https://service.test' } })
    const userData = newFolder()
    const electron = await openCountertag({ userData })
    const { document } = electron.window
    for (const text of [
      'Your company&#39;s settings',
      'la configuración de su empresa',
      'policy/invalid',
      file,
      'profile.baseURL: unknown field',
    ]) {
      expect(document).toContain(text)
    }
    expect(existsSync(join(userData, 'station.json'))).toBe(false)
    electron.window.close()
    expect(electron.app.exitCode).toBe(1)
  })

  it('is not read from the path in the environment once the app is packaged', async () => {
    putPolicy({ profile })
    bePackaged()
    const electron = await openCountertag({ isPackaged: true, appPath: '/nowhere/app.asar' })
    expect(await clientOf(electron).call('app.status', undefined)).toMatchObject({
      value: { profile: { kind: 'practice' } },
    })
  })

  it.skipIf(process.platform !== 'linux')(
    'keeps a package from checking for updates when it forbids them',
    async () => {
      const publicKey = 'a key'
      answerLateRequires()
      /** Starts a package built with an update address; returns its log up to its end. */
      const logOfPackage = async () => {
        const [appPath, userData] = [newFolder(), newFolder()]
        writeFileSync(join(appPath, 'package.json'), JSON.stringify({ updates: { publicKey } }))
        const electron = await openCountertag({ isPackaged: true, appPath, userData })
        const read = () => readFileSync(join(userData, 'practice/countertag.log'), 'utf8')
        return { electron, read }
      }
      bePackaged()
      const looked = /updates are looked for|no updates/

      const before = await logOfPackage()
      await vi.waitUntil(() => looked.test(before.read()), 10_000)
      await quit(before.electron)

      // A package reads its policy from a folder of the administrator's: only the content read from there is faked.
      const real = fs.readFileSync
      const policy = vi
        .spyOn(fs, 'readFileSync')
        .mockImplementation((file, ...options) =>
          file === '/etc/countertag/policy.json'
            ? '{"updates": {"isAllowed": false}}'
            : Reflect.apply(real, fs, [file, ...options]),
        )
      syncBuiltinESMExports()
      onTestFinished(() => {
        policy.mockRestore()
        syncBuiltinESMExports()
      })
      const after = await logOfPackage()
      await quit(after.electron)
      expect(after.read()).toContain('closed')
      expect(after.read()).not.toMatch(looked)
    },
  )
})
