import { join } from 'node:path'
import { flipFuses } from '@electron/fuses'
import type { AfterPackContext } from 'electron-builder'
import { fuseConfig } from './fuses'

/** electron-builder's own setting knows neither every fuse nor the strict mode: so they are set here, before signing. */
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
