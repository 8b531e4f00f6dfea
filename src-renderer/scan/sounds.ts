/** What a scan sounds like: staff keep their eyes on the customer. */
export type Sound = 'good' | 'attention' | 'bad'

interface Tone {
  hertz: number
  seconds: number
  shape: OscillatorType
}

const sounds: Record<Sound, Tone[]> = {
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

const loudness = 0.15
const fade = 0.008

/** Plays the sounds; silent where there is no audio device or the browser does not allow one yet. */
export function createSounds(open: () => AudioContext = () => new AudioContext()) {
  let audio: AudioContext | undefined

  return function play(sound: Sound) {
    try {
      audio ??= open()
      if (audio.state === 'suspended') void audio.resume().catch(() => undefined)
      let at = audio.currentTime + fade
      for (const tone of sounds[sound]) {
        ring(audio, tone, at)
        at += tone.seconds + 0.02
      }
    } catch {
      // No audio here: the words and the colour say the same.
    }
  }
}

function ring(audio: AudioContext, { hertz, seconds, shape }: Tone, at: number) {
  const source = audio.createOscillator()
  const volume = audio.createGain()
  source.type = shape
  source.frequency.value = hertz
  // A short ramp at both ends, for a hard edge clicks.
  volume.gain.setValueAtTime(0, at)
  volume.gain.linearRampToValueAtTime(loudness, at + fade)
  volume.gain.setValueAtTime(loudness, at + seconds - fade)
  volume.gain.linearRampToValueAtTime(0, at + seconds)
  source.connect(volume).connect(audio.destination)
  source.start(at)
  source.stop(at + seconds)
}
