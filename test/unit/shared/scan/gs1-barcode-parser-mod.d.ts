declare module 'gs1-barcode-parser-mod' {
  export function parseBarcode(text: string): unknown
}
