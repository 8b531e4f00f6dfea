/**
 * What we use of the packages that scripts/package/package.json installs: their types are declared here, so that
 * `npm run check` works without them.
 */

declare module '@electron/asar' {
  /** Paths in the archive, each with a separator before it. */
  export function listPackage(archive: string, options: { isPack: boolean }): string[]
  /** A file has a size; a folder and a link have none. */
  export function statFile(archive: string, name: string): { size: number } | object
  export function extractFile(archive: string, name: string): Buffer
}

declare module 'electron-builder' {
  export interface AfterPackContext {
    appOutDir: string
    /** As in `process.platform`. */
    electronPlatformName: string
    packager: { appInfo: { productFilename: string }; config: { electronDist?: unknown } }
  }
}
