import type { ExportFile } from '../../src-shared/ipc/contract/call'

/** Hands a file to the person, as a download. */
export function saveFile({ fileName, text }: ExportFile): void {
  saveBlob(fileName, new Blob([text], { type: 'text/csv;charset=utf-8' }))
}

export function saveBlob(fileName: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // Not at once: the download still has to read it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
