import { EventEmitter } from 'node:events'
import type { Device } from 'node-hid'
import type { HidConnection, ScannerLayer } from '../../src-main/scanner/layer'

/** The parts of node-hid and usb that the adapter uses; a test plugs scanners in and out. */
export interface FakeScanners {
  layer: ScannerLayer
  /** A Honeywell in HID POS mode by default. */
  plug(device?: Partial<Device>): FakeDevice
  /** From now on, listing fails with this error; undefined repairs it. */
  failListing(cause: Error | undefined): void
  /** Listing does not return until the returned function is called. */
  holdListing(): () => void
  /** Announces that something was plugged in or out, that many times. */
  news(times?: number): void
  /** The number of times the devices were listed. */
  listings(): number
  /** Paths of the open connections. */
  open(): string[]
  /** Listeners for plug events. */
  watchers(): number
}

interface FakeDevice {
  send(...reports: Uint8Array[]): void
  /** node-hid reports an unplugged device as an error, without a close event. */
  unplug(): void
  /** The same device again, in the same place or another one. */
  replug(path?: string): void
  /** Reading fails although the device is still there. */
  fail(cause: unknown): void
  /** From now on, opening fails with this error; undefined repairs it. */
  refuse(cause: Error | undefined): void
  /** Opening does not return until the returned function is called. */
  holdOpening(): () => void
  /** The same for the feature report. */
  holdStarting(): () => void
  refuseStarting(): void
  /** Feature reports that the device received. */
  started: number[][]
}

/** node-hid's wording on Linux. */
export const gone = 'could not read from HID device: hid_read_timeout: unexpected poll error (device disconnected)'

class FakeConnection extends EventEmitter implements HidConnection {
  isOpen = true

  constructor(
    readonly path: string,
    readonly start: (data: number[]) => Promise<number>,
  ) {
    super()
    this.on('newListener', (event) => {
      // Like node-hid: reading begins in the next tick, and starting on a closed device throws.
      if (event !== 'data') return
      process.nextTick(() => {
        if (!this.isOpen) throw new TypeError('device has been closed')
      })
    })
  }

  sendFeatureReport(data: number[] | Buffer): Promise<number> {
    return this.start([...data])
  }

  async close(): Promise<void> {
    if (!this.isOpen) throw new TypeError('device is already closed')
    this.isOpen = false
    await Promise.resolve()
    this.removeAllListeners()
  }
}

const honeywell: Device = {
  vendorId: 0x0c2e,
  productId: 0x0b8f,
  path: '/dev/hidraw0',
  serialNumber: '18100B4D2C',
  manufacturer: 'Honeywell',
  product: 'Voyager 1450g',
  release: 1,
  interface: 0,
  usagePage: 0x8c,
  usage: 0x02,
}

/** `hasNews: false` is a machine without a USB bus. */
export function fakeScanners({ hasNews = true } = {}): FakeScanners {
  let listed: Device[] = []
  let connections: FakeConnection[] = []
  let listingError: Error | undefined
  let listings = 0
  let held: Promise<void> | undefined
  const watchers = new Set<() => void>()
  const openings = new Map<Device, (path: string) => Promise<FakeConnection>>()
  const news = (times = 1) => {
    for (let count = 0; count < times; count++) for (const watcher of [...watchers]) watcher()
  }
  const hold = () => Promise.withResolvers<undefined>()

  const plug = (given: Partial<Device> = {}): FakeDevice => {
    let device: Device = { ...honeywell, ...given }
    let refusal: Error | undefined
    let opening: Promise<undefined> | undefined
    let starting: Promise<undefined> | undefined
    let refusesStart = false
    const started: number[][] = []
    const own = () => connections.filter(({ path, isOpen }) => isOpen && path === device.path)

    const openDevice = async (path: string) => {
      await opening
      if (refusal) throw refusal
      if (!listed.includes(device)) {
        throw new Error(`cannot open device with path ${path}: Failed to open a device: No such file or directory`)
      }
      const connection = new FakeConnection(path, async (data) => {
        await starting
        started.push(data)
        if (refusesStart) throw new Error('could not send feature report to device')
        return data.length
      })
      connections = [...connections, connection]
      return connection
    }
    const arrive = () => {
      listed = [...listed, device]
      openings.set(device, openDevice)
      news()
    }
    const fail = (cause: unknown) => {
      for (const connection of own()) connection.emit('error', cause)
    }
    arrive()

    return {
      send(...reports) {
        for (const report of reports) for (const connection of own()) connection.emit('data', Buffer.from(report))
      },
      unplug() {
        listed = listed.filter((other) => other !== device)
        fail(gone)
        news()
      },
      replug(path = device.path) {
        device = { ...device, path }
        arrive()
      },
      fail,
      refuse(cause) {
        refusal = cause
      },
      holdOpening() {
        const { promise, resolve } = hold()
        opening = promise
        return () => {
          opening = undefined
          resolve(undefined)
        }
      },
      holdStarting() {
        const { promise, resolve } = hold()
        starting = promise
        return () => {
          starting = undefined
          resolve(undefined)
        }
      },
      refuseStarting() {
        refusesStart = true
      },
      started,
    }
  }

  return {
    layer: {
      hid: {
        async devices() {
          listings++
          await held
          if (listingError) throw listingError
          return listed
        },
        async open(path) {
          const device = listed.find((one) => one.path === path)
          const open = device && openings.get(device)
          if (!open) throw new Error(`cannot open device with path ${path}: No such file or directory`)
          return open(path)
        },
      },
      usb: {
        watch(onChange) {
          if (!hasNews) return Promise.reject(new Error('getDevices error: /sys/bus/usb/devices/ not found (errno 2)'))
          watchers.add(onChange)
          return Promise.resolve(() => void watchers.delete(onChange))
        },
      },
    },
    plug,
    failListing(cause) {
      listingError = cause
    },
    holdListing() {
      const { promise, resolve } = hold()
      held = promise
      return () => {
        held = undefined
        resolve(undefined)
      }
    },
    news,
    listings: () => listings,
    open: () => connections.filter(({ isOpen }) => isOpen).map(({ path }) => path),
    watchers: () => watchers.size,
  }
}
