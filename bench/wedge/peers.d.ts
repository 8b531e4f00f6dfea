declare module 'onscan.js' {
  interface Options {
    onScan?: (text: string, count: number) => void
    avgTimeByChar?: number
    timeBeforeScanTest?: number
  }
  const onScan: {
    attachTo(target: EventTarget, options: Options): void
    detachFrom(target: EventTarget): void
  }
  export default onScan
}

/** Its package exports it to browsers only. */
declare module '*/keyboard-barcode-scanner.esm.js' {
  export default class KeyboardBarcodeScanner {
    constructor(options?: { timing?: 'auto' | number })
    connect(): Promise<void>
    disconnect(): Promise<void>
    addEventListener(type: 'barcode', listener: (read: { value: string; aim?: string }) => void): void
  }
}
