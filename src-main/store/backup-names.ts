import { join } from 'node:path'
import { namesIn, stamp, timeOfStamp } from './files'

/** Backups are named by the time (UTC) at which they were begun. */
export const backupName = (at: number) => `countertag-${stamp(at)}.db`

/** Undefined for what is no backup of ours. */
export function timeOfBackup(name: string): number | undefined {
  const [, text] = /^countertag-(.*)\.db$/.exec(name) ?? []
  return text === undefined ? undefined : timeOfStamp(text)
}

/** The backups in a folder, oldest first. */
export const backupsIn = (folder: string): string[] =>
  namesIn(folder)
    .filter((name) => timeOfBackup(name) !== undefined)
    .sort()
    .map((name) => join(folder, name))

const newestKept = 6
const daysKept = 7
const day = 86_400_000

/**
 * The backups that are no longer needed: all but the newest six, and the last one of each of the last seven days (UTC).
 * Those that a wrong clock dated ahead don't push the others out; the last of them is kept. Names that are no backup of
 * ours are left alone.
 */
export function toDelete(names: readonly string[], now: number): string[] {
  const backups = names
    .flatMap((name) => {
      const at = timeOfBackup(name)
      return at === undefined ? [] : [{ name, at }]
    })
    .sort((a, b) => b.at - a.at)
  const past = backups.filter(({ at }) => at <= now)
  const ahead = backups.filter(({ at }) => at > now)
  const lastOfDays = [...Map.groupBy(past, ({ at }) => Math.floor(at / day)).values()].slice(0, daysKept)
  const kept = new Set([...past.slice(0, newestKept), ...lastOfDays.map(([last]) => last), ahead[0]])
  return backups.filter((backup) => !kept.has(backup)).map(({ name }) => name)
}
