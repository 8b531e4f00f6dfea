import { svelte } from '@sveltejs/vite-plugin-svelte'
import process from 'node:process'
import { defineConfig } from 'electron-vite'
import type { Plugin } from 'vite'
import { licences } from './scripts/package/licences'
import { plainSchemas } from './scripts/build/plain-schemas'
import { nativePackages, withoutFetch, withoutHttp2 } from './scripts/build/imports'

// Licences of what goes into the bundles: known only here.
const noteLicences = licences(process.cwd())

/** V8 keeps the source text of a script in memory, with two bytes for every character if one isn't ASCII. */
const compact = { charset: 'ascii', comments: { jsdoc: false } } as const

/** The computer's clock can't be right if it shows an earlier time, in ms since 1970. Set for builds that can be repeated. */
const builtAt = process.env.SOURCE_DATE_EPOCH ? Number(process.env.SOURCE_DATE_EPOCH) * 1_000 : Date.now()

/** A script before the page's own: it opens the line to main while the page's program is still being loaded. */
const lineFirst: Plugin = {
  name: 'line-first',
  transformIndexHtml: (_html, { bundle = {}, path }) =>
    Object.values(bundle)
      .filter((file) => file.type === 'chunk' && file.name === 'line' && path === '/index.html')
      .map(({ fileName }) => ({
        tag: 'script',
        attrs: { type: 'module', crossorigin: true, src: `./${fileName}` },
        injectTo: 'head-prepend',
      })),
}

/**
 * Three builds in one: main (ESM; the two hosts and the practice service's command), preload (CommonJS, for a sandboxed
 * preload can't be anything else) and the renderer. Only native packages stay outside the bundles.
 */
export default defineConfig({
  main: {
    define: { __BUILT_AT__: builtAt },
    plugins: [nativePackages(), withoutFetch(), withoutHttp2(), plainSchemas(), noteLicences()],
    build: {
      externalizeDeps: false,
      rolldownOptions: {
        input: {
          electron: 'src-main/electron/main.ts',
          browser: 'src-main/browser/start.ts',
          // What the command above serves, for the end-to-end tests: many stations, one after the other, in one process.
          serve: 'src-main/browser/serve.ts',
        },
        external: ['vite', '@sveltejs/vite-plugin-svelte'],
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          ...compact,
          // A station with everything that each start needs: one file instead of twenty, each of which is looked for.
          codeSplitting: {
            groups: [
              { name: 'station', test: /src-main[\\/]station[\\/]station\.ts$/, priority: 2 },
              { name: 'browser', test: /src-main[\\/]browser[\\/]serve\.ts$/, priority: 1 },
            ],
          },
        },
      },
    },
  },
  preload: {
    plugins: [noteLicences()],
    build: {
      externalizeDeps: false,
      rolldownOptions: {
        input: { preload: 'src-main/electron/preload.ts' },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src-renderer',
    plugins: [plainSchemas(), svelte({ configFile: false }), lineFirst, noteLicences()],
    build: {
      // Everything is served by our own hosts under a strict CSP: no inlined assets, no module preload polyfill.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      minify: true,
      rolldownOptions: {
        // The gallery is a page of its own that nothing in the app leads to.
        input: { index: 'src-renderer/index.html', gallery: 'src-renderer/gallery.html' },
        output: {
          ...compact,
          // Each with everything that it alone needs: two requests instead of a dozen. The line to main needs neither.
          codeSplitting: {
            groups: [
              { name: 'line', test: /src-renderer[\\/]line\.ts$|vite[\\/]preload-helper/, priority: 3 },
              { name: 'page', test: /src-renderer[\\/]page\.ts$/, priority: 2 },
              { name: 'later', test: /src-renderer[\\/]later\.ts$/, priority: 1 },
            ],
          },
        },
      },
    },
  },
})
