import type { ExportFile } from '../../src-shared/ipc/contract/call'

/** Hands a file to the person, as a download. */
export function saveFile({ fileName, text }: ExportFile): void {
  saveBlob(fileName, new Blob([text], { type: 'text/csv;charset=utf-8' }))
}

export function saveBlob(fileName: string, content: Blob): void {
  const url = URL.createObjectURL(content)
  download(fileName, url)
  // Not at once: the download still has to read it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Follows a link to a file that is saved. */
export function download(fileName: string, url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
}
