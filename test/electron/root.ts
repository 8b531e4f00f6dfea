import { resolve } from 'node:path'

/** Where the repository is. */
export const root = resolve(import.meta.dirname, '../..')
