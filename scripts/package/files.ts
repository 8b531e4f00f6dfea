/**
 * The content of app.asar: our bundles, and the parts of the native packages that this system runs. Later lines win.
 */
export const files: string[] = [
  'package.json',
  'out/main/electron.js',
  'out/main/chunks/**',
  'out/preload/**',
  'out/renderer/**',
  'out/licences.txt',
  // The browser host is not in the package.
  '!out/main/chunks/serve-*',
  // The gallery is only for developers.
  '!out/renderer/gallery.html',
  '!out/renderer/assets/gallery-*',

  // Sources, build files and developer documentation; headers of packages that are compiled elsewhere.
  '!**/node_modules/**/{README,CHANGELOG,HISTORY}*',
  '!**/node_modules/**/*.{map,ts,mts,cts,gyp,gypi,h,c,cc,cpp,hpp}',
  '!**/node_modules/{@types,node-addon-api}{,/**}',
  '!**/node_modules/.bin{,/**}',

  '!**/node_modules/better-sqlite3/{deps,src}{,/**}',
  '!**/node_modules/better-sqlite3/lib/{darwin,linux,linuxmusl,win32}-*.js',
  '!**/node_modules/better-sqlite3/prebuilds/!(${platform}-${arch}.node)',

  '!**/node_modules/node-hid/{hidapi,src}{,/**}',
  '!**/node_modules/node-hid/prebuilds/!(HID-${platform}-${arch}|HID_hidraw-${platform}-${arch}){,/**}',
  // On Linux node-hid has two drivers; we use the one over hidraw.
  '!**/node_modules/node-hid/prebuilds/HID-linux-*{,/**}',
  '!**/node_modules/pkg-prebuilds/bin{,/**}',

  '!**/node_modules/keytar/keytar.js',
]

/** Files beside app.asar: read as plain files, and not only by our code. */
export const resources = [
  { from: 'resources/icons/countertag.png', to: 'icons/countertag.png' },
  // IT may add addresses to it.
  { from: 'resources/connections', to: 'connections' },
  { from: 'resources/practice', to: 'practice', filter: ['store.json', 'pictures/**'] },
]
