/** A start that fails; the message is one sentence for a person. */
export class CannotStart extends Error {}
