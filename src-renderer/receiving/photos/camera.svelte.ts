/** Why there is no picture. `denied`: by the host of the page; `blocked`: by the operating system. */
export type CameraProblem = 'none' | 'denied' | 'blocked' | 'busy' | 'unplugged' | 'failed'

interface Track {
  stop(): void
  getSettings(): { deviceId?: string }
  addEventListener(type: 'ended', listener: () => void): void
}

interface LiveStream {
  getTracks(): Track[]
}

/** The part of `navigator.mediaDevices` that is used. */
interface Devices<Stream extends LiveStream> {
  getUserMedia(wanted: MediaStreamConstraints): Promise<Stream>
  enumerateDevices(): Promise<{ kind: string; deviceId: string; label: string }[]>
  addEventListener(type: 'devicechange', listener: () => void): void
  removeEventListener(type: 'devicechange', listener: () => void): void
}

/** Where the camera that a person chose is kept, for as long as the page is open. */
const memoryKey = 'camera'

/** The picture of a camera, from opening it to the photo that is taken. It stays in the page: nothing is recorded. */
export class Camera<Stream extends LiveStream> {
  /** What the camera shows now; null while it is being started, and when there is a problem. */
  stream = $state.raw<Stream | null>(null)
  /** The cameras that can be chosen. Browsers name them once the camera was allowed. */
  cameras = $state.raw<{ id: string; label: string }[]>([])
  /** The camera in use. */
  chosen = $state('')
  problem = $state.raw<CameraProblem | null>(null)
  /** A photo was taken and is being looked at. */
  isTaken = $state(false)
  /** A photo stays on the screen, whatever happens to the camera meanwhile. */
  view = $derived.by(() => {
    if (this.isTaken) return 'taken'
    if (this.problem) return 'problem'
    return this.stream ? 'live' : 'starting'
  })
  readonly #devices: Devices<Stream> | undefined
  readonly #memory: Pick<Storage, 'getItem' | 'setItem'>
  /** Counts what is opened and closed: an answer that is too late belongs to an earlier turn. */
  #turn = 0
  readonly #listAgain = () => void this.#list(this.#turn)

  /** `devices`: undefined where the page has no access to any. */
  constructor(devices: Devices<Stream> | undefined, memory: Pick<Storage, 'getItem' | 'setItem'>) {
    this.#devices = devices
    this.#memory = memory
  }

  /** Starts the camera that was chosen last; at first the one that looks away from the person. */
  async open(): Promise<void> {
    this.close()
    const turn = this.#turn
    this.problem = null
    try {
      const stream = await this.#start(turn)
      if (turn === this.#turn) this.#show(stream, turn)
      else stop(stream)
    } catch (cause) {
      if (turn === this.#turn) this.problem = problemOf(cause)
    }
    if (turn !== this.#turn) return
    this.#devices?.addEventListener('devicechange', this.#listAgain)
    await this.#list(turn)
  }

  async #start(turn: number): Promise<Stream> {
    const away = { facingMode: { ideal: 'environment' } }
    const id = this.#memory.getItem(memoryKey)
    if (id === null) return this.#ask(away)
    try {
      // Merely preferred, it is not always the one that Chromium takes.
      return await this.#ask({ deviceId: { exact: id } })
    } catch (cause) {
      // The one that was chosen is gone: another one does as well.
      if (nameOf(cause) !== 'OverconstrainedError' || turn !== this.#turn) throw cause
      return this.#ask(away)
    }
  }

  #ask(which: MediaTrackConstraints): Promise<Stream> {
    if (!this.#devices) return Promise.reject(new Error('this page has no access to devices'))
    const video = { ...which, width: { ideal: 1_920 }, height: { ideal: 1_080 } }
    return this.#devices.getUserMedia({ video, audio: false })
  }

  #show(stream: Stream, turn: number): void {
    for (const track of stream.getTracks()) {
      this.chosen = track.getSettings().deviceId ?? ''
      // Sent when it is unplugged or its permission is withdrawn, not for our own stop().
      track.addEventListener('ended', () => {
        if (turn === this.#turn) this.#end('unplugged')
      })
    }
    this.stream = stream
  }

  async #list(turn: number): Promise<void> {
    const all = (await this.#devices?.enumerateDevices().catch(() => [])) ?? []
    if (turn !== this.#turn) return
    const found = all.filter(({ kind, deviceId }) => kind === 'videoinput' && deviceId !== '')
    this.cameras = found.map(({ deviceId, label }) => ({ id: deviceId, label }))
  }

  /** Switches to another camera, and to it from now on. */
  async choose(id: string): Promise<void> {
    this.chosen = id
    this.#memory.setItem(memoryKey, id)
    await this.open()
  }

  /** The picture could not be made a photo. */
  fail(): void {
    this.isTaken = false
    this.#end('failed')
  }

  #end(problem: CameraProblem): void {
    if (this.stream) stop(this.stream)
    this.stream = null
    this.problem = problem
  }

  /** Turns the camera off, also one that is only now being started. */
  close(): void {
    this.#turn += 1
    this.#devices?.removeEventListener('devicechange', this.#listAgain)
    if (this.stream) stop(this.stream)
    this.stream = null
    this.isTaken = false
  }
}

function stop(stream: LiveStream): void {
  for (const track of stream.getTracks()) track.stop()
}

/** An OverconstrainedError is no Error in every browser. */
const nameOf = (cause: unknown) =>
  typeof cause === 'object' && cause !== null && 'name' in cause ? cause.name : undefined

function problemOf(cause: unknown): CameraProblem {
  switch (nameOf(cause)) {
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'none'
    case 'NotAllowedError':
    case 'SecurityError':
      // Chromium's words: "Permission denied by system".
      return cause instanceof Error && cause.message.includes('by system') ? 'blocked' : 'denied'
    case 'NotReadableError':
      return 'busy'
    default:
      return 'failed'
  }
}
