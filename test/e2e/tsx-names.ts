/**
 * An init script for a page driven by a tsx script. tsx compiles calls of a helper into functions, and a page that
 * evaluates those functions lacks the helper.
 */
export const tsxNames = { content: 'globalThis.__name = (named) => named' }
