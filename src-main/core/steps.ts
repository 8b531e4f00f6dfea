/**
 * The points between which a power cut leaves different things behind, on this disk or at the service. The crash suite kills
 * the process at each of them in turn. `writing` is inside a transaction, which a crash must leave whole or not at all;
 * `saved` is after its commit.
 */
export const outboxSteps = [
  'enqueue.writing',
  'enqueue.saved',
  'claim.writing',
  'claim.saved',
  'identify.writing',
  'identify.saved',
  'reconcile.asking',
  'reconcile.found',
  'report.sending',
  'report.answered',
  'settle.writing',
  'settle.saved',
  'person.writing',
  'person.saved',
] as const

/** A scan of a shelf count, its end and its signature; the end of a delivery, with its record. */
export const shopSteps = [
  'scan.writing',
  'scan.saved',
  'finish.writing',
  'finish.saved',
  'sign.writing',
  'sign.saved',
  'record.writing',
  'record.saved',
] as const

/**
 * A photo: a part of it came, its file is there under a first name, then under its own, then its row; it was removed or brought
 * back; its file is about to be deleted, and is. A correction of a record, with what it has of a photo.
 */
export const paperSteps = [
  'photo.received',
  'photo.writing',
  'photo.written',
  'photo.saved',
  'photo.removed',
  'photo.restored',
  'photo.sweeping',
  'photo.swept',
  'correction.writing',
  'correction.saved',
] as const

export type ReachedStep = (typeof outboxSteps)[number] | (typeof shopSteps)[number] | (typeof paperSteps)[number]

/** Called at every step as it is reached. Only the crash suite listens. */
export type AtStep = (step: ReachedStep) => void
