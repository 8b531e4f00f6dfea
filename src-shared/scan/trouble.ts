import { z } from 'zod'

/**
 * What can be amiss when a scanner types.
 * - `caps-lock`: Caps Lock is on, the letters came reversed.
 * - `caps-lock-doubt`: the same, and the code is one id as it came and another reversed: U+FFFD stands for its letters.
 * - `layout`: the computer's keyboard layout is not the scanner's, other characters came than it sent.
 * - `alt-codes`: it types characters as Alt and a number. Slow, and it needs Num Lock.
 * - `unidentified-keys`: an input method took keys away. Where the key's place is unknown too, U+FFFD stands for it.
 */
export const WedgeTrouble = z.enum(['caps-lock', 'caps-lock-doubt', 'layout', 'alt-codes', 'unidentified-keys'])
export type WedgeTrouble = z.infer<typeof WedgeTrouble>
