import type { AppError } from '../../src-shared/errors'
import type { Scanners } from './scanners.svelte'

/** What a scan came to. */
export type OutcomeTone = 'good' | 'attention' | 'bad'

/**
 * The sound of a scan's outcome, so that staff can keep their eyes on the customer. `back`: good, but in a return or a void:
 * who hears it by mistake knows that nothing is being sold.
 */
export type Sound = OutcomeTone | 'back'

/** Plays a sound at a volume of 1 to 100. */
export type Play = (sound: Sound, volume: number) => void

export interface Note {
  hertz: number
  seconds: number
  shape: OscillatorType
}

/** Plays notes; the browser's audio, or a fake. */
interface AudioOut {
  /** Null if audio is on. Otherwise switches it on and resolves when it is, which may take until the user acts. */
  wake(): Promise<void> | null
  /** Seconds. */
  now(): number
  /** Notes start at `at` seconds; `gain` is 1 at full strength. */
  ring(note: Note, at: number, gain: number): void
}

const sounds: Record<Sound, Note[]> = {
  good: [
    { hertz: 880, seconds: 0.06, shape: 'sine' },
    { hertz: 1320, seconds: 0.09, shape: 'sine' },
  ],
  back: [
    { hertz: 1320, seconds: 0.09, shape: 'sine' },
    { hertz: 880, seconds: 0.09, shape: 'sine' },
    { hertz: 660, seconds: 0.12, shape: 'sine' },
  ],
  attention: [
    { hertz: 660, seconds: 0.08, shape: 'triangle' },
    { hertz: 660, seconds: 0.12, shape: 'triangle' },
  ],
  bad: [
    { hertz: 330, seconds: 0.11, shape: 'square' },
    { hertz: 220, seconds: 0.13, shape: 'square' },
  ],
}

/** The gain at the usual volume, 70. */
const loudness = 0.15
const usualVolume = 70
const fade = 0.008

/** In ms. A sound that would come later is dropped: it would be taken for the answer to another scan. */
const longestWait = 500

/**
 * Plays the sounds; silent without an audio device, or while the browser does not allow audio yet. Only the last sound
 * waits, and not for long: otherwise all would play at once when audio switches on. `now`: monotonic clock, in ms.
 */
export function createSounds(open: () => AudioOut = openAudio, now: () => number = () => performance.now()): Play {
  let speaker: AudioOut | undefined
  let last = 0

  return function play(sound, volume) {
    try {
      speaker ??= open()
      const awake = speaker
      const askedAt = now()
      const number = ++last
      const waking = awake.wake()
      if (!waking) {
        ringAll(awake, sound, volume)
        return
      }
      waking.then(
        () => {
          if (number === last && now() - askedAt <= longestWait) ringAll(awake, sound, volume)
        },
        // The browser refuses audio: silent.
        () => undefined,
      )
    } catch {
      // No audio device: words and colour say the same.
    }
  }
}

function ringAll(speaker: AudioOut, sound: Sound, volume: number) {
  let at = speaker.now() + fade
  for (const note of sounds[sound]) {
    speaker.ring(note, at, (loudness * volume) / usualVolume)
    at += note.seconds + 0.02
  }
}

function openAudio(): AudioOut {
  const audio = new AudioContext()
  return {
    wake: () => (audio.state === 'running' ? null : audio.resume()),
    now: () => audio.currentTime,
    ring(note, at, gain) {
      ring(audio, note, at, gain)
    },
  }
}

function ring(audio: AudioContext, { hertz, seconds, shape }: Note, at: number, gain: number) {
  const source = audio.createOscillator()
  const volume = audio.createGain()
  source.type = shape
  source.frequency.value = hertz
  // A short ramp at both ends: without it, notes click.
  volume.gain.setValueAtTime(0, at)
  volume.gain.linearRampToValueAtTime(gain, at + fade)
  volume.gain.setValueAtTime(gain, at + seconds - fade)
  volume.gain.linearRampToValueAtTime(0, at + seconds)
  source.connect(volume).connect(audio.destination)
  source.start(at)
  source.stop(at + seconds)
}

/** The sounds of this station: how loud, and whether any. */
export class Speaker {
  readonly #scanners: Scanners
  readonly #play: Play
  readonly #announce: (error: AppError) => void

  /** `announce`: says why the mute button failed. */
  constructor(scanners: Scanners, play: Play, announce: (error: AppError) => void) {
    this.#scanners = scanners
    this.#play = play
    this.#announce = announce
  }

  get #sound() {
    return this.#scanners.settings.sound
  }

  /** Plays a sound unless sounds are muted. */
  readonly play = (sound: Sound): void => {
    if (!this.#sound.isMuted) this.hear(sound)
  }

  /** Plays a sound even while sounds are muted, e.g. to try the volume. */
  hear(sound: Sound): void {
    if (this.#sound.volume > 0) this.#play(sound, this.#sound.volume)
  }

  setVolume(volume: number): Promise<AppError | null> {
    return this.#scanners.save((settings) => ({ ...settings, sound: { ...settings.sound, volume } }))
  }

  setMuted(isMuted: boolean): Promise<AppError | null> {
    return this.#scanners.save((settings) => ({ ...settings, sound: { ...settings.sound, isMuted } }))
  }

  /** The mute button beside the strip. */
  async toggleMuted(): Promise<void> {
    const error = await this.setMuted(!this.#sound.isMuted)
    if (error) this.#announce(error)
  }
}
