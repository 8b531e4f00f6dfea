import { describe, expect, it } from 'vitest'
import { problemText } from '../../../src-renderer/receiving/photos/camera-text'
import { Camera, type CameraProblem } from '../../../src-renderer/receiving/photos/camera.svelte'
import { createShutterKeys } from '../../../src-renderer/receiving/photos/shutter-keys'
import { say } from '../../../src-renderer/text/text.svelte'

/** One camera while it is on. */
class FakeStream {
  isOn = true
  readonly #ended: (() => void)[] = []

  constructor(private readonly deviceId: string) {}

  getTracks() {
    return [
      {
        stop: () => void (this.isOn = false),
        getSettings: () => ({ deviceId: this.deviceId }),
        addEventListener: (_ended: 'ended', listener: () => void) => void this.#ended.push(listener),
      },
    ]
  }

  /** Knob: the camera is unplugged. */
  unplug() {
    this.isOn = false
    for (const listener of this.#ended) listener()
  }
}

/** A computer with cameras, whose answers the test gives. */
function createComputer() {
  const asked: { wanted: MediaStreamConstraints; answer: PromiseWithResolvers<FakeStream> }[] = []
  const listeners = new Set<() => void>()
  const kept = new Map<string, string>()
  const all = [
    { kind: 'audioinput', deviceId: 'm1', label: 'Microphone' },
    { kind: 'videoinput', deviceId: 'c1', label: 'Front' },
    { kind: 'videoinput', deviceId: 'c2', label: '' },
  ]
  const devices = {
    getUserMedia(wanted: MediaStreamConstraints) {
      const answer = Promise.withResolvers<FakeStream>()
      asked.push({ wanted, answer })
      return answer.promise
    },
    enumerateDevices: () => Promise.resolve(all),
    addEventListener: (_change: 'devicechange', listener: () => void) => void listeners.add(listener),
    removeEventListener: (_change: 'devicechange', listener: () => void) => void listeners.delete(listener),
  }
  const memory = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
  return {
    all,
    listeners,
    wanted: () => asked.at(-1)?.wanted,
    /** Answers the oldest question: with a camera, or with an error of that name. */
    async answer(how: FakeStream | [name: string, message?: string | undefined]) {
      const answer = asked.shift()?.answer
      if (how instanceof FakeStream) answer?.resolve(how)
      else answer?.reject(new DOMException(how[1], how[0]))
      await new Promise((done) => setTimeout(done))
    },
    camera: () => new Camera(devices, memory),
  }
}

describe('the camera', () => {
  it('is asked for as a picture without sound, the one that looks away first, and lists the others', async () => {
    const computer = createComputer()
    const camera = computer.camera()
    void camera.open()
    expect([camera.view, computer.wanted()]).toEqual([
      'starting',
      {
        audio: false,
        video: { facingMode: { ideal: 'environment' }, width: { ideal: 1_920 }, height: { ideal: 1_080 } },
      },
    ])
    await computer.answer(new FakeStream('c2'))
    expect([camera.view, camera.chosen]).toEqual(['live', 'c2'])
    expect(camera.cameras).toEqual([
      { id: 'c1', label: 'Front' },
      { id: 'c2', label: '' },
    ])
  })

  it('that was chosen is used again, and the one before is turned off', async () => {
    const computer = createComputer()
    const camera = computer.camera()
    const [first, second] = [new FakeStream('c1'), new FakeStream('c2')]
    void camera.open()
    await computer.answer(first)
    void camera.choose('c2')
    expect([camera.view, camera.chosen, first.isOn]).toEqual(['starting', 'c2', false])
    expect(computer.wanted()).toMatchObject({ video: { deviceId: { exact: 'c2' } } })
    await computer.answer(second)
    expect([camera.view, second.isOn]).toEqual(['live', true])
    camera.close()
    expect(second.isOn).toBe(false)
    void computer.camera().open()
    expect(computer.wanted()).toMatchObject({ video: { deviceId: { exact: 'c2' } } })
  })

  it('that was chosen and is gone is replaced by another', async () => {
    const computer = createComputer()
    const camera = computer.camera()
    void camera.choose('c9')
    await computer.answer(['OverconstrainedError'])
    expect([camera.view, computer.wanted()?.video]).toMatchObject([
      'starting',
      { facingMode: { ideal: 'environment' } },
    ])
    await computer.answer(new FakeStream('c1'))
    expect([camera.view, camera.chosen]).toEqual(['live', 'c1'])
  })

  it('is turned off also when it starts after it was closed, or after another was chosen', async () => {
    const computer = createComputer()
    const camera = computer.camera()
    const late = new FakeStream('c1')
    void camera.open()
    camera.close()
    await computer.answer(late)
    expect([late.isOn, camera.stream]).toEqual([false, null])

    const [slow, wanted] = [new FakeStream('c1'), new FakeStream('c2')]
    void camera.open()
    void camera.choose('c2')
    await computer.answer(slow)
    expect([slow.isOn, camera.view]).toEqual([false, 'starting'])
    await computer.answer(wanted)
    expect([wanted.isOn, camera.view, camera.chosen]).toEqual([true, 'live', 'c2'])

    const refused = computer.camera()
    void refused.open()
    refused.close()
    await computer.answer(['NotAllowedError'])
    expect(refused.problem).toBeNull()
  })

  it.each<[CameraProblem, name: string, message?: string]>([
    ['none', 'NotFoundError'],
    ['none', 'OverconstrainedError'],
    ['denied', 'NotAllowedError', 'Permission denied'],
    ['denied', 'SecurityError'],
    ['blocked', 'NotAllowedError', 'Permission denied by system'],
    ['busy', 'NotReadableError', 'Could not start video source'],
    ['failed', 'AbortError', 'Timeout starting video source'],
    ['failed', 'NotSupportedError'],
  ])('says %s for %s %s, and can be tried again', async (problem, name, message) => {
    const computer = createComputer()
    const camera = computer.camera()
    void camera.open()
    await computer.answer([name, message])
    expect([camera.view, camera.problem]).toEqual(['problem', problem])
    void camera.open()
    expect([camera.view, camera.problem]).toEqual(['starting', null])
    await computer.answer(new FakeStream('c1'))
    expect(camera.view).toBe('live')
  })

  it('says so where the page has no access to cameras', async () => {
    const nothing = { getItem: () => null, setItem: () => undefined }
    const camera = new Camera(undefined, nothing)
    await camera.open()
    expect(camera.problem).toBe('failed')
    camera.close()
  })

  it('that is unplugged says so; a photo that was taken before stays until it is retaken', async () => {
    const computer = createComputer()
    const camera = computer.camera()
    const stream = new FakeStream('c1')
    void camera.open()
    await computer.answer(stream)
    camera.isTaken = true
    stream.unplug()
    expect([camera.view, camera.problem]).toEqual(['taken', 'unplugged'])
    camera.isTaken = false
    expect([camera.view, camera.stream]).toEqual(['problem', null])
    // One that was already given up says nothing any more.
    void camera.open()
    stream.unplug()
    expect(camera.view).toBe('starting')
  })

  it('is turned off when its picture can’t be made a photo', async () => {
    const computer = createComputer()
    const camera = computer.camera()
    const stream = new FakeStream('c1')
    void camera.open()
    await computer.answer(stream)
    camera.isTaken = true
    camera.fail()
    expect([camera.view, camera.problem, stream.isOn]).toEqual(['problem', 'failed', false])
  })

  it('lists cameras that come and go, as long as it is open', async () => {
    const computer = createComputer()
    const camera = computer.camera()
    void camera.open()
    await computer.answer(new FakeStream('c1'))
    computer.all.splice(2)
    for (const listener of computer.listeners) listener()
    await expect.poll(() => camera.cameras.map(({ id }) => id)).toEqual(['c1'])
    camera.close()
    expect(computer.listeners.size).toBe(0)
  })
})

describe('what helps where the camera is not allowed', () => {
  const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
  const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
  const linux = 'Mozilla/5.0 (X11; Linux x86_64)'

  it.each<[string, CameraProblem, boolean, string, RegExp]>([
    ['the browser asks', 'denied', false, windows, /icon beside the page’s address/],
    ['the system refuses the browser', 'blocked', false, mac, /Camera, turn on this browser/],
    ['the system refuses the app', 'denied', true, mac, /Camera, turn on Countertag, and restart it/],
    ['desktop apps are refused', 'denied', true, windows, /Let desktop apps access your camera/],
    ['another system', 'blocked', true, linux, /the system’s privacy settings/],
  ])('%s', (_what, problem, isApp, userAgent, help) => {
    const { title, next } = problemText(problem, { isApp, userAgent })
    expect([say(title), say(next)]).toEqual(['The camera isn’t allowed', expect.stringMatching(help)])
  })
})

describe('Space and Enter at the camera', () => {
  const key = (code: string, timeStamp: number, more: Partial<KeyboardEvent> = {}) => ({
    ...{ code, key: code === 'Space' ? ' ' : code, repeat: false, ctrlKey: false, altKey: false, metaKey: false },
    ...{ timeStamp },
    ...more,
  })
  const letter = (timeStamp: number) => key('KeyA', timeStamp, { key: 'a' })

  it('take a photo when a person presses one alone, soon after another one or after moving the focus', () => {
    const keys = createShutterKeys()
    const read = [key('Enter', 5_000), key('Space', 5_100), key('Tab', 5_200), key('NumpadEnter', 5_300)]
    expect(read.map((one) => keys.read(one))).toEqual(['press', 'press', 'pass', 'press'])
    expect(keys.read(key('Enter', 5_400, { ctrlKey: true }))).toBe('pass')
  })

  it('do nothing while they are held', () => {
    const keys = createShutterKeys()
    expect([keys.read(key('Enter', 5_000)), keys.read(key('Enter', 5_400, { repeat: true }))]).toEqual([
      'press',
      'refuse',
    ])
  })

  it('do nothing in a scan that was not recognized, however slow it is, nor right after it', () => {
    const keys = createShutterKeys()
    const scan = [letter(5_000), key('Space', 5_400), letter(5_800), key('Enter', 6_600), key('Enter', 7_400)]
    expect(scan.map((one) => keys.read(one))).toEqual(['pass', 'refuse', 'pass', 'refuse', 'refuse'])
    expect(keys.read(key('Enter', 9_000))).toBe('press')
  })
})
