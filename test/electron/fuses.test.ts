import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FuseState, FuseV1Options, flipFuses, getCurrentFuseWire } from '@electron/fuses'
import { describe, expect, it } from 'vitest'
import { fuseConfig, fuses } from '../../scripts/package/fuses'
import { newFolder } from './countertag'
import { root } from './root'
import { fuseCount, standInRuntime } from './stand-in'

/** Every fuse of that program by name, on or off. */
async function fusesIn(program: string): Promise<Record<string, string>> {
  const wire = new Map(Object.entries(await getCurrentFuseWire(program)))
  return Object.fromEntries(
    Object.keys(fuses).map((index) => {
      const name = FuseV1Options[Number(index)] ?? index
      return [name, wire.get(index) === FuseState.ENABLE ? 'on' : 'off']
    }),
  )
}

describe('the fuses of the packaged program', () => {
  it('are all set to the safer value', async () => {
    const program = standInRuntime(newFolder())
    await flipFuses(program, fuseConfig('linux'))
    expect(await fusesIn(program)).toEqual({
      RunAsNode: 'off',
      EnableCookieEncryption: 'on',
      EnableNodeOptionsEnvironmentVariable: 'off',
      EnableNodeCliInspectArguments: 'off',
      EnableEmbeddedAsarIntegrityValidation: 'on',
      OnlyLoadAppFromAsar: 'on',
      LoadBrowserProcessSpecificV8Snapshot: 'off',
      GrantFileProtocolExtraPrivileges: 'off',
      WasmTrapHandlers: 'on',
    })
    expect(readFileSync(program, 'latin1').slice(-fuseCount)).toBe('010011001')
  })

  it.each([
    ['has a fuse that we do not know', fuseCount + 1, /does not|not configured|strictly|All fuses|defined/i],
    ['lacks one that we set', fuseCount - 1, /not long enough/],
  ])('stop the build when the program %s', async (_what, count, message) => {
    const program = standInRuntime(newFolder(), { fuses: count })
    const before = readFileSync(program)
    await expect(flipFuses(program, fuseConfig('linux'))).rejects.toThrow(message)
    expect(readFileSync(program).equals(before)).toBe(true)
  })

  it('are re-signed on macOS, where a modified program does not start', () => {
    expect([fuseConfig('darwin').resetAdHocDarwinSignature, fuseConfig('win32').resetAdHocDarwinSignature]).toEqual([
      true,
      false,
    ])
  })

  it('are documented in docs/packaging.md with the same values and reasons', () => {
    const page = readFileSync(join(root, 'docs/packaging.md'), 'utf8').replaceAll('\n  ', ' ')
    for (const [index, { isOn, why }] of Object.entries(fuses)) {
      const item = `- \`${FuseV1Options[Number(index)] ?? index}\`: ${isOn ? 'on' : 'off'}. Why: ${why}`
      expect(page.split('\n')).toContain(item)
    }
  })
})
