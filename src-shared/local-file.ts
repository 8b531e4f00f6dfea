/** The parts of a path of either kind of system, without `.` and `..`. */
function partsOf(path: string): string[] {
  const parts: string[] = []
  for (const part of path.split(/[\\/]+/)) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts
}

/** Names that Windows opens as a device, in any folder and with any ending. */
const device = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\..*)?$/i

/**
 * Folders below which a path reaches another computer (automounters, AFS, desktops' network places), or no file. Below
 * `/dev/shm` are files in memory.
 */
const elsewhere = /^(net|afs|network|dev(?!\/shm\/)|proc|sys|run\/user\/[^/]*\/gvfs)\//i

/**
 * Whether a path names a file on this computer, by its form: reading one on another computer would send the user's sign-in
 * there, and would let that computer decide what is read. Both systems' forms are looked at, whichever this is. Refused:
 * UNC (`\\host\share`, `//host/share`), Windows' device paths (`\\?\`, `\\.\`, `\??\`), addresses (`file:`, `smb:`), device names,
 * and folders of automounters. A drive letter may be mapped to a share: that can't be seen.
 */
export function isLocalFile(path: string): boolean {
  if (!path.isWellFormed() || /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u.test(path)) return false
  const given = path.trim()
  if (given === '') return false
  if (/^[\\/]{2}/.test(given) || /^[\\/]\?\?[\\/]/.test(given)) return false
  // A single letter is a drive.
  if (/^[a-z][a-z0-9+.-]+:/i.test(given)) return false
  const parts = partsOf(given)
  if (device.test(parts.at(-1) ?? '')) return false
  return !/^[\\/]/.test(given) || !elsewhere.test(`${parts.join('/')}/`)
}
