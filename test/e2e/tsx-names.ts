/**
 * An init script for a page that is driven by a script run by tsx: that compiles calls of a helper into functions, and a
 * page that evaluates them does not have it.
 */
export const tsxNames = { content: 'globalThis.__name = (named) => named' }
