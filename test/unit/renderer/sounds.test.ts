import { describe, expect, it } from 'vitest'
import { App } from '../../../src-renderer/app.svelte'
import { type Note, type Sound, createSounds } from '../../../src-renderer/scan/sounds'
import { ScannerSettings } from '../../../src-shared/ipc/contract/scanner'
import { scan } from './examples'
import { createFakeWire, turn } from './fake-wire'

function createSpeaker() {
  const rung: { note: Note; at: number; gain: number }[] = []
  const asleep: (() => void)[] = []
  const state = { isAwake: true, ms: 0 }
  const speaker = {
    wake: () => (state.isAwake ? null : new Promise<void>((resolve) => asleep.push(resolve))),
    now: () => 1,
    ring: (note: Note, at: number, gain: number) => void rung.push({ note, at, gain }),
  }
  const play = createSounds(
    () => speaker,
    () => state.ms,
  )
  return {
    rung,
    play,
    sleep: () => (state.isAwake = false),
    pass: (ms: number) => (state.ms += ms),
    wakeUp: async () => {
      state.isAwake = true
      for (const wake of asleep.splice(0)) wake()
      await turn()
    },
  }
}

describe('the sounds', () => {
  it('are four, different in pitch and shape, one note after the other', () => {
    const heard = (['good', 'back', 'attention', 'bad'] as const).map((sound) => {
      const { rung, play } = createSpeaker()
      play(sound, 70)
      expect(rung.every(({ at }, index) => index === 0 || at > (rung[index - 1]?.at ?? Infinity))).toBe(true)
      return rung.map(({ note }) => [note.shape, note.hertz])
    })
    expect(heard).toEqual([
      [
        ['sine', 880],
        ['sine', 1320],
      ],
      [
        ['sine', 1320],
        ['sine', 880],
        ['sine', 660],
      ],
      [
        ['triangle', 660],
        ['triangle', 660],
      ],
      [
        ['square', 330],
        ['square', 220],
      ],
    ])
  })

  it.each([
    [70, 0.15],
    [35, 0.075],
    [100, 0.214],
    [1, 0.002],
  ])('at volume %i have the gain %f', (volume, gain) => {
    const { rung, play } = createSpeaker()
    play('good', volume)
    expect(rung).toHaveLength(2)
    for (const note of rung) expect(note.gain).toBeCloseTo(gain, 3)
  })

  it('are not queued while audio is off: only the last one plays, and only if audio comes on soon', async () => {
    const { rung, play, sleep, pass, wakeUp } = createSpeaker()
    sleep()
    for (let scans = 0; scans < 20; scans++) play('good', 70)
    play('bad', 70)
    expect(rung).toEqual([])
    pass(100)
    await wakeUp()
    expect(rung.map(({ note }) => note.hertz)).toEqual([330, 220])
    sleep()
    play('good', 70)
    pass(501)
    await wakeUp()
    expect(rung).toHaveLength(2)
    play('good', 70)
    expect(rung).toHaveLength(4)
  })

  it('are silent without an audio device', () => {
    const play = createSounds(() => {
      throw new Error('no audio device')
    })
    expect(() => play('bad', 70)).not.toThrow()
  })
})

describe('the station', () => {
  async function start(sound: { volume: number; isMuted: boolean }) {
    const fake = createFakeWire()
    const heard: [Sound, number][] = []
    const app = new App({ wire: fake.wire, onReach: () => () => undefined }, (name, volume) =>
      heard.push([name, volume]),
    )
    app.start()
    void app.scanners.loadSettings()
    await fake.next('scanner.settings').answer(ScannerSettings.parse({ sound }))
    const scanned = () => fake.emit('scanner.scanned', scan(1, { kind: 'unknown', text: 'x' }))
    return { app, fake, heard, scanned }
  }

  it('plays at the set volume', async () => {
    const { heard, scanned } = await start({ volume: 40, isMuted: false })
    await scanned()
    expect(heard).toEqual([['bad', 40]])
  })

  it('is silent while muted, except for a test sound, and always at volume 0', async () => {
    const muted = await start({ volume: 40, isMuted: true })
    await muted.scanned()
    expect(muted.heard).toEqual([])
    muted.app.speaker.hear('good')
    expect(muted.heard).toEqual([['good', 40]])
    const off = await start({ volume: 0, isMuted: false })
    await off.scanned()
    off.app.speaker.hear('good')
    expect(off.heard).toEqual([])
  })

  it('shows in the strip that muting failed', async () => {
    const { app, fake } = await start({ volume: 40, isMuted: false })
    const muting = app.speaker.toggleMuted()
    await Promise.resolve()
    await fake.next('scanner.setSettings').refuse({ code: 'store/not-saved' })
    await muting
    expect(app.scanners.settings.sound.isMuted).toBe(false)
    expect(app.strip.current).toMatchObject({ tone: 'bad', seq: 0 })
    expect(app.strip.count).toBe(0)
  })
})
