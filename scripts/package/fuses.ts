import { join } from 'node:path'
import { flipFuses, type FuseV1Config, FuseV1Options, FuseVersion } from '@electron/fuses'
import type { AfterPackContext } from 'electron-builder'

/** Whether a switch inside Electron's program is on in the packaged app, and why. */
interface Fuse {
  isOn: boolean
  why: string
}

/** All fuses: when a newer Electron adds one, this doesn't compile until the fuse is listed. */
export const fuses: Record<FuseV1Options, Fuse> = {
  [FuseV1Options.RunAsNode]: {
    isOn: false,
    why: 'ELECTRON_RUN_AS_NODE would turn a signed till into a Node that runs any script; we start no child of our own.',
  },
  [FuseV1Options.EnableCookieEncryption]: {
    isOn: true,
    why: 'We set no cookies; should a page ever get one, it is not readable on the disk.',
  },
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: {
    isOn: false,
    why: 'NODE_OPTIONS and NODE_EXTRA_CA_CERTS could load code or trust another server in the process with the secrets.',
  },
  [FuseV1Options.EnableNodeCliInspectArguments]: {
    isOn: false,
    why: '--inspect and SIGUSR1 would open a debugger in the process that holds tokens.',
  },
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: {
    isOn: true,
    why: 'macOS and Windows refuse an app.asar that was changed after it was built. Linux has no such check.',
  },
  [FuseV1Options.OnlyLoadAppFromAsar]: {
    isOn: true,
    why: 'Without it a folder "app" laid beside app.asar would be run in its place, unchecked.',
  },
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: {
    isOn: false,
    why: 'We ship no snapshot of our own: one V8 snapshot serves all processes.',
  },
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: {
    isOn: false,
    why: 'The app is served from app://; no page of file:// has any business here.',
  },
  [FuseV1Options.WasmTrapHandlers]: {
    isOn: true,
    why: "WebAssembly (undici's HTTP parser) keeps its memory checks in hardware, as in Chrome.",
  },
}

/**
 * What is written into the program. Strict: a fuse in the program that is not in the table stops the build.
 *
 * @param platform the system that is packaged for, as in `process.platform`
 */
export function fuseConfig(platform: string): FuseV1Config {
  return {
    version: FuseVersion.V1,
    strictlyRequireAllFuses: true,
    // Changing a signed program breaks its signature, and Apple silicon starts no unsigned program.
    resetAdHocDarwinSignature: platform === 'darwin',
    [FuseV1Options.RunAsNode]: fuses[FuseV1Options.RunAsNode].isOn,
    [FuseV1Options.EnableCookieEncryption]: fuses[FuseV1Options.EnableCookieEncryption].isOn,
    [FuseV1Options.EnableNodeOptionsEnvironmentVariable]:
      fuses[FuseV1Options.EnableNodeOptionsEnvironmentVariable].isOn,
    [FuseV1Options.EnableNodeCliInspectArguments]: fuses[FuseV1Options.EnableNodeCliInspectArguments].isOn,
    [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]:
      fuses[FuseV1Options.EnableEmbeddedAsarIntegrityValidation].isOn,
    [FuseV1Options.OnlyLoadAppFromAsar]: fuses[FuseV1Options.OnlyLoadAppFromAsar].isOn,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]:
      fuses[FuseV1Options.LoadBrowserProcessSpecificV8Snapshot].isOn,
    [FuseV1Options.GrantFileProtocolExtraPrivileges]: fuses[FuseV1Options.GrantFileProtocolExtraPrivileges].isOn,
    [FuseV1Options.WasmTrapHandlers]: fuses[FuseV1Options.WasmTrapHandlers].isOn,
  }
}

/** Fuses are set here, before signing, because electron-builder's setting lacks some fuses and the strict mode. */
export async function setFuses({ appOutDir, electronPlatformName, packager }: AfterPackContext): Promise<void> {
  const { productFilename } = packager.appInfo
  const program =
    electronPlatformName === 'darwin'
      ? `${productFilename}.app`
      : electronPlatformName === 'win32'
        ? `${productFilename}.exe`
        : 'countertag'
  await flipFuses(join(appOutDir, program), fuseConfig(electronPlatformName))
}
