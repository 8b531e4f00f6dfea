import { z } from 'zod'

/** What a line of the journal says that is about no report. */
export const ActName = z.enum([
  /** Lines were removed for their age: `detail` says which. */
  'removed',
  /** The journal ends before what was noted of it outside, or goes on in another way: `detail` has what was noted. */
  'cut',
  'signed-in',
  'signed-out',
  'person-added',
  'person-changed',
  'person-removed',
  'person-restored',
  'pin-set',
  'pin-removed',
  'badge-set',
  'badge-removed',
  /** A PIN or an approval that was refused; the person is the one whose PIN was tried. */
  'wrong-pin',
  'settings',
  'export',
  'print',
  'signature',
  'count-finished',
  'delivery-finished',
  'correction',
  'take-over',
  'day-closed',
])
export type ActName = z.infer<typeof ActName>
