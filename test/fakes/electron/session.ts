import type { CustomScheme, Display, Protocol } from 'electron'
import type { Readiness } from './event'

type RequestHandler = (contents: null, permission: string, callback: (isGranted: boolean) => void) => void

/** `session.defaultSession`, with knobs that ask for what a page could ask. Without handlers Electron grants. */
export class FakeSession {
  #request: RequestHandler | undefined
  #check: ((contents: null, permission: string) => boolean) | undefined
  #device: ((details: object) => boolean) | undefined

  setPermissionRequestHandler(handler: RequestHandler): void {
    this.#request = handler
  }
  setPermissionCheckHandler(handler: (contents: null, permission: string) => boolean): void {
    this.#check = handler
  }
  setDevicePermissionHandler(handler: (details: object) => boolean): void {
    this.#device = handler
  }

  /** Knob: what the system, or its proxy script, says of an address. */
  proxyOf: (url: string) => string = () => 'DIRECT'
  resolveProxy = (url: string): Promise<string> => Promise.resolve(this.proxyOf(url))

  /** Knob: a page asks for a permission; whether it gets it. */
  async request(permission: string): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    if (this.#request) this.#request(null, permission, resolve)
    else resolve(true)
    return promise
  }
  /** Knob: Chromium checks whether a page has a permission. */
  check = (permission: string): boolean => this.#check?.(null, permission) ?? true
  /** Knob: a page wants to open a device. */
  openDevice = (deviceType: 'hid' | 'serial' | 'usb'): boolean => this.#device?.({ deviceType }) ?? true
}

/** `protocol`: schemes are declared before Electron is ready and served after. */
export class FakeProtocol implements Pick<Protocol, 'handle' | 'registerSchemesAsPrivileged'> {
  readonly schemes: CustomScheme[] = []
  readonly handlers = new Map<string, (request: Request) => Response | Promise<Response>>()

  constructor(private readonly readiness: Readiness) {}

  registerSchemesAsPrivileged(schemes: CustomScheme[]): void {
    this.readiness.before('protocol.registerSchemesAsPrivileged')
    this.schemes.push(...schemes)
  }

  handle(scheme: string, handler: (request: Request) => Response | Promise<Response>): void {
    this.readiness.after('protocol.handle')
    this.handlers.set(scheme, handler)
  }
}

/** `screen`, with the displays that are connected. */
export class FakeScreen {
  constructor(
    private readonly displays: readonly Pick<Display, 'workArea'>[],
    private readonly readiness: Readiness,
  ) {}

  getAllDisplays(): readonly Pick<Display, 'workArea'>[] {
    this.readiness.after('screen.getAllDisplays')
    return this.displays
  }
}
