import process from 'node:process'

const needed = 22

/**
 * Ends the script with one sentence when it runs on an older Node than the native parts need: better-sqlite3 would not
 * fail there, it would take the process down.
 */
export function requireNode() {
  if (Number(process.versions.node.split('.')[0]) >= needed) return
  console.error(
    `Countertag needs Node ${needed} and runs on ${process.versions.node}: the npm package "node" was not installed, ` +
      'run `npm ci` without --ignore-scripts and start it with npm.',
  )
  process.exit(1)
}
