import { join } from 'node:path'
import { flipFuses } from '@electron/fuses'
import type { AfterPackContext } from 'electron-builder'
import { fuseConfig } from './fuses'

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
