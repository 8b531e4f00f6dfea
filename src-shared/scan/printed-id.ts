import { parseId } from '../ids'

const wrapped = /^(?:urn:uuid:(.{36})|\{(.{36})\})$/i

/** The id in any form in which it is printed: ShortUUID, UUID in any case, in braces or as a URN. In short form. */
export function printedId(text: string): string | undefined {
  const inside = wrapped.exec(text)
  return parseId(inside?.[1] ?? inside?.[2] ?? text)
}

/** Letters and digits in the length of an id, or nearly: one was cut off, doubled or misread. */
export const isNearlyAnId = (text: string): boolean => /^[0-9A-Za-z]{21,23}$/.test(text) && /[A-Za-z]/.test(text)
