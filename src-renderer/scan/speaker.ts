import type { AppError } from '../../src-shared/errors'
import type { Scanners } from './scanners.svelte'
import type { Play, Sound } from './sounds'

export interface SpeakerParts {
  scanners: Scanners
  play: Play
  /** Says what kept the mute button from working. */
  announce: (error: AppError) => void
}

/** The sounds of this station: how loud, and whether any. */
export class Speaker {
  readonly #scanners: Scanners
  readonly #play: Play
  readonly #announce: SpeakerParts['announce']

  constructor({ scanners, play, announce }: SpeakerParts) {
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
