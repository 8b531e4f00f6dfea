import type { ExportFile } from '../../src-shared/ipc/contract/call'

/** Hands a file to the person, as a download. */
export function saveFile({ fileName, text }: ExportFile): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // Not at once: the download still has to read it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
