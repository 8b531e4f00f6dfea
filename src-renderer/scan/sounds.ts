import type { AppError } from '../../src-shared/errors'
import type { Scanners } from './scanners.svelte'

/** What a scan sounds like: staff keep their eyes on the customer. */
export type Sound = 'good' | 'attention' | 'bad'

/** Plays a sound at a volume of 1 to 100. */
export type Play = (sound: Sound, volume: number) => void

export interface Note {
  hertz: number
  seconds: number
  shape: OscillatorType
}

/** Where notes are heard. */
export interface AudioOut {
  /** Null where notes are heard at once; else it tries, and resolves when they are, which may take until a person acts. */
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

/** A speaker that takes longer to wake, in ms, says nothing: a late sound would be taken for the answer to another scan. */
const longestWait = 500

/**
 * Plays the sounds; silent where there is no audio device or the browser does not allow one yet. Nothing is kept for later
 * but the last sound, and that not for long: else all would ring at once when the speaker wakes. `now`: ms, monotonic.
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
        // The browser refuses: the same.
        () => undefined,
      )
    } catch {
      // No audio here: the words and the colour say the same.
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
  // A short ramp at both ends, for a hard edge clicks.
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

  /** Unless they are muted. */
  readonly play = (sound: Sound): void => {
    if (!this.#sound.isMuted) this.hear(sound)
  }

  /** Also while they are muted: for whoever asks to hear it. */
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
