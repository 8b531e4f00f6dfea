import { register } from 'tsx/esm/api'

/** Starts main-process.ts. What compiles it is gone before the built bundle is loaded, which it would only slow down. */
const unregister = register()
const { openMain } = await import('./main-process.ts')
await unregister()
await openMain()
