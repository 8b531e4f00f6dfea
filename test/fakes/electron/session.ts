import { EventEmitter } from 'node:events'
import type {
  CallbackResponse,
  CustomScheme,
  Display,
  OnBeforeRequestListenerDetails,
  Protocol,
  Rectangle,
} from 'electron'
import type { Readiness } from './event'

type RequestHandler = (contents: null, permission: string, callback: (isGranted: boolean) => void) => void

type BeforeRequest = (
  details: Pick<OnBeforeRequestListenerDetails, 'url'>,
  callback: (response: CallbackResponse) => void,
) => void

/**
 * `session.defaultSession`, with knobs for the requests that a page could make. Without handlers Electron grants them.
 */
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

  #beforeRequest: BeforeRequest | undefined
  readonly webRequest = {
    onBeforeRequest: (listener: BeforeRequest): void => {
      this.#beforeRequest = listener
    },
  }
  /** Knob: the page requests an address; returns whether it may. */
  async mayLoad(url: string): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<CallbackResponse>()
    if (this.#beforeRequest) this.#beforeRequest({ url }, resolve)
    else resolve({})
    return (await promise).cancel !== true
  }
  /** Knob: the proxy that the system, or its proxy script, gives for an address. */
  proxyOf: (url: string) => string = () => 'DIRECT'
  resolveProxy = (url: string): Promise<string> => Promise.resolve(this.proxyOf(url))

  /** Knob: a page asks for a permission; returns whether it is granted. */
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

/** `protocol`: schemes are declared before Electron is ready, and handled after. */
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

/** `screen`, with the connected displays, the primary one first. */
export class FakeScreen extends EventEmitter {
  #displays: FakeDisplay[]

  constructor(
    workAreas: readonly Rectangle[],
    private readonly readiness: Readiness,
  ) {
    super()
    this.#displays = displaysOf(workAreas)
  }

  getAllDisplays(): FakeDisplay[] {
    this.readiness.after('screen.getAllDisplays')
    return this.#displays
  }

  getPrimaryDisplay(): FakeDisplay {
    this.readiness.after('screen.getPrimaryDisplay')
    const [display] = this.#displays
    if (!display) throw new Error('There is no display')
    return display
  }

  /** Knob: a taskbar grows, or a display is turned, unplugged or added. */
  change(workAreas: readonly Rectangle[]): void {
    const before = this.#displays
    this.#displays = displaysOf(workAreas)
    const [display] = this.#displays
    if (before.length === workAreas.length) this.emit('display-metrics-changed', {}, display, ['workArea'])
    else this.emit(before.length > workAreas.length ? 'display-removed' : 'display-added', {}, before.at(-1))
  }
}

type FakeDisplay = Pick<Display, 'id' | 'workArea'>

const displaysOf = (workAreas: readonly Rectangle[]): FakeDisplay[] =>
  workAreas.map((workArea, index) => ({ id: index + 1, workArea }))
