/** A start that cannot be: its message is one sentence for a person. */
export class CannotStart extends Error {}
