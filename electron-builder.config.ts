import process from 'node:process'
import { cleanRuntime } from './scripts/package/clean-runtime'
import { debScripts } from './scripts/package/deb-scripts'
import { files, resources } from './scripts/package/files'
import { setFuses } from './scripts/package/fuses'

/**
 * How Countertag is packaged: docs/packaging.md says why, and which of these names are placeholders for those of the company that
 * signs. Nothing here names a machine, and nothing holds a secret. electron-builder, which scripts/package installs,
 * checks these settings against its schema before it packs.
 */

const rule = '70-countertag-scanners.rules'
const { COUNTERTAG_UPDATES_URL, COUNTERTAG_UPDATES_PUBLIC_KEY, GITHUB_REPOSITORY } = process.env
const { CSC_LINK, CSC_NAME, APPLE_API_KEY, APPLE_ID } = process.env
// A secret that a workflow does not have is an empty text there.
const isSigned = Boolean(CSC_LINK) || Boolean(CSC_NAME)
// Without an address for updates the app has no updater at all.
const updates = COUNTERTAG_UPDATES_URL ? { publicKey: COUNTERTAG_UPDATES_PUBLIC_KEY } : undefined
// An update is an NSIS installer: on a till that an .msi set up it would install a second Countertag. And electron-builder's
// WiX knows no ARM.
const hasMsi = updates === undefined && process.arch === 'x64'

const config = {
  appId: 'app.countertag.station',
  productName: 'Countertag',
  copyright: 'Countertag',
  directories: { output: 'out/packages', buildResources: 'resources/icons' },
  artifactName: '${name}-${version}-${os}-${arch}.${ext}',
  extraMetadata: {
    homepage: GITHUB_REPOSITORY ? `https://github.com/${GITHUB_REPOSITORY}` : 'https://countertag.example/',
    // By this name a desktop finds the icon of the window.
    desktopName: 'countertag.desktop',
    ...(updates && { updates }),
  },

  files,
  extraResources: resources,
  asar: { smartUnpack: false },
  // A native module is loaded by the system, which can't look into an archive.
  asarUnpack: ['**/*.node'],
  // They come prebuilt against N-API: nothing is to be compiled.
  npmRebuild: false,
  electronLanguages: ['en', 'en-US', 'es', 'es-419'],
  electronFuses: null,
  afterExtract: cleanRuntime,
  afterPack: setFuses,

  // Uploading is left to the person who releases.
  publish: COUNTERTAG_UPDATES_URL ? { provider: 'generic', url: COUNTERTAG_UPDATES_URL } : null,

  win: { target: ['nsis', ...(hasMsi ? ['msi'] : [])], icon: 'resources/icons/countertag.ico' },
  nsis: {
    oneClick: false,
    // One installation for all who use the till; their data stays when it is removed.
    perMachine: true,
    allowToChangeInstallationDirectory: true,
    deleteAppDataOnUninstall: false,
    runAfterFinish: true,
  },
  // For IT, which installs it on many tills unseen: it asks nothing and starts nothing.
  msi: { perMachine: true, runAfterFinish: false },

  mac: {
    target: ['dmg', 'zip'],
    category: 'public.app-category.business',
    icon: 'resources/icons/countertag.icns',
    // Named by the environment or not at all: no certificate that happens to lie in a keychain.
    ...(isSigned ? {} : { identity: null }),
    hardenedRuntime: true,
    gatekeeperAssess: false,
    entitlements: 'resources/macos/entitlements.plist',
    entitlementsInherit: 'resources/macos/entitlements-inherit.plist',
    // Shown when macOS asks the person: one text for all, so it is in both languages.
    extendInfo: {
      NSCameraUsageDescription:
        'Countertag takes photos of damaged deliveries. Countertag toma fotos de entregas dañadas.',
    },
    // electron-builder reads the account from the environment itself.
    notarize: isSigned && (Boolean(APPLE_API_KEY) || Boolean(APPLE_ID)),
  },

  linux: {
    target: ['AppImage', 'deb'],
    executableName: 'countertag',
    syncDesktopName: true,
    category: 'Office',
    synopsis: 'Scanner app for cannabis dispensaries',
    maintainer: 'Countertag <support@countertag.example>',
    icon: 'resources/icons/png',
    extraResources: [{ from: `resources/linux/${rule}`, to: `linux/${rule}` }],
  },
  // The older one starts every AppImage without Chromium's sandbox, this one only where the kernel gives it none.
  toolsets: { appimage: '1.0.3' },
  deb: {
    // What Electron needs, libusb for scanners in HID mode, and the C and C++ libraries that better-sqlite3 was linked with:
    // with older ones the app would install and not start (Debian 12 and Ubuntu 22.04 have these).
    depends: [
      'libc6 (>= 2.34)',
      'libstdc++6 (>= 11)',
      'libusb-1.0-0',
      'libudev1',
      'libgtk-3-0',
      'libnotify4',
      'libnss3',
      'libxss1',
      'libxtst6',
      'xdg-utils',
      'libatspi2.0-0',
      'libuuid1',
      'libsecret-1-0',
    ],
    // For the keychain: another Secret Service does as well.
    recommends: ['gnome-keyring'],
    ...debScripts('out/package', rule),
  },
}

export default config
