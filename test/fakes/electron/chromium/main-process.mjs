import { register } from 'tsx/esm/api'

/**
 * Starts main-process.ts. The compiler hook is removed before the built bundle is loaded, which it would only slow
 * down.
 */
const unregister = register()
const { openMain } = await import('./main-process.ts')
await unregister()
await openMain()
