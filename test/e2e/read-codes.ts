import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

// Loaded from its file: by default the library fetches its reader from the network.
const file = join(import.meta.dirname, '../../node_modules/zxing-wasm/dist/reader/zxing_reader.wasm')
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(file)).buffer } })

/** What a scanner with every symbology enabled reads in a picture (PNG): each code as its kind and text, sorted. */
export async function readCodes(picture: Uint8Array): Promise<string[]> {
  const found = await readBarcodes(picture, { tryHarder: true, maxNumberOfSymbols: 255 })
  return found.map(({ format, text }) => `${format} ${text}`).sort()
}

/** The text of the QR code in a picture; '' without one. Its modules may look like the bars of a Codabar, too. */
export async function readQrCode(picture: Uint8Array): Promise<string> {
  const codes = await readBarcodes(picture, { tryHarder: true, formats: ['QRCode'] })
  return codes[0]?.text ?? ''
}
