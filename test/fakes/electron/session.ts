import { EventEmitter } from 'node:events'
import type {
  CallbackResponse,
  CustomScheme,
  Display,
  MediaAccessPermissionRequest,
  OnBeforeRequestListenerDetails,
  PermissionCheckHandlerHandlerDetails,
  Protocol,
  Rectangle,
  WebContents,
} from 'electron'
import type { Readiness } from './event'

type Asker = Pick<WebContents, 'id'>

type RequestHandler = (
  contents: Asker,
  permission: string,
  callback: (isGranted: boolean) => void,
  details: MediaAccessPermissionRequest,
) => void

type CheckHandler = (
  contents: Asker | null,
  permission: string,
  requestingOrigin: string,
  details: PermissionCheckHandlerHandlerDetails,
) => boolean

/** A page asks for a permission: which page, from where, and for which media. */
export interface Asking {
  contents: Asker
  url: string
  isMainFrame: boolean
  mediaTypes?: ('video' | 'audio')[]
}

type BeforeRequest = (
  details: Pick<OnBeforeRequestListenerDetails, 'url'>,
  callback: (response: CallbackResponse) => void,
) => void

/**
 * `session.defaultSession`, with knobs for the requests that a page could make. Without handlers Electron grants them.
 */
export class FakeSession {
  #request: RequestHandler | undefined
  #check: CheckHandler | undefined
  #device: ((details: object) => boolean) | undefined

  setPermissionRequestHandler(handler: RequestHandler): void {
    this.#request = handler
  }
  setPermissionCheckHandler(handler: CheckHandler): void {
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
  async request(permission: string, { contents, url, isMainFrame, mediaTypes }: Asking): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const media = mediaTypes && { mediaTypes, securityOrigin: originOf(url) }
    if (this.#request) this.#request(contents, permission, resolve, { requestingUrl: url, isMainFrame, ...media })
    else resolve(true)
    return promise
  }
  /** Knob: Chromium checks whether a page has a permission: for media, once for each type. */
  check(permission: string, { contents, url, isMainFrame, mediaTypes = [] }: Asking): boolean {
    const details = { requestingUrl: url, securityOrigin: originOf(url), isMainFrame }
    const each = mediaTypes.length > 0 ? mediaTypes.map((mediaType) => ({ ...details, mediaType })) : [details]
    return each.every((one) => this.#check?.(contents, permission, originOf(url), one) ?? true)
  }
  /** Knob: a page wants to open a device. */
  openDevice = (deviceType: 'hid' | 'serial' | 'usb'): boolean => this.#device?.({ deviceType }) ?? true
}

/** As Electron writes an origin: with a slash behind it. */
const originOf = (url: string) => new URL('/', url).href

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
