import '../require-node.mjs'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import process from 'node:process'
import { extractFile, listPackage, statFile } from '@electron/asar'

interface PackedFile {
  /** Path inside the package, with slashes; the path of an archived file begins with the archive's path. */
  name: string
  size: number
}

/** Files inside an archive, including unpacked ones (`app.asar.unpacked`). */
export function filesInArchive(archive: string): PackedFile[] {
  return listPackage(archive, { isPack: false }).flatMap((path) => {
    const name = path.slice(1)
    const entry = statFile(archive, name)
    return 'size' in entry ? [{ name: name.replaceAll(sep, '/'), size: entry.size }] : []
  })
}

/** The content of a file inside an archive, also of an unpacked one. */
export const archivedFile = (archive: string, name: string): Buffer => extractFile(archive, name)

/** Paths of the files below a folder. Links are not followed: their targets are listed anyway. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesBelow(path)
    return entry.isFile() ? [path] : []
  })
}

/** Every file of a packaged app in a folder, sorted by path, including the files inside archives. */
export function filesInPackage(folder: string): PackedFile[] {
  const files = filesBelow(folder).flatMap((path) => {
    const name = relative(folder, path).replaceAll(sep, '/')
    const inside = name.endsWith('.asar') ? filesInArchive(path) : []
    return [
      { name, size: statSync(path).size },
      ...inside.map((file) => ({ name: `${name}/${file.name}`, size: file.size })),
    ]
  })
  return files.sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** Prints the list, one line per file. */
export function printPackage(title: string, folder: string): void {
  const files = filesInPackage(folder)
  const lines = files.map(({ name, size }) => `${String(size).padStart(10)}  ${name}`)
  process.stdout.write(`${title}, ${files.length} files:\n${lines.join('\n')}\n\n`)
}

if (process.argv[1]?.endsWith('file-list.ts')) {
  const output = 'out/packages'
  const given = process.argv.slice(2)
  const made = existsSync(output) ? readdirSync(output).filter((name) => /-unpacked$|^mac(-\w+)?$/.test(name)) : []
  const folders = given.length > 0 ? given : made.map((name) => join(output, name))
  for (const folder of folders) printPackage(folder, folder)
  if (folders.length === 0) {
    process.stderr.write('There is no package in out/packages: run `npm run package -- --dir` first.\n')
    process.exitCode = 1
  }
}
