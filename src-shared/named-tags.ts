import type { AppError } from './errors'
import { parseId } from './ids'

/** The codes that a refusal names, in printed form, each once. Empty if the refusal names none or concerns all. */
export function namedTags(reason: AppError | null): string[] {
  if (reason?.code === 'service/not-imported' || reason?.code === 'service/malformed-tags')
    return printed(reason.tagIds)
  return reason?.code === 'service/unknown-tags' ? printed([...reason.tagIds, ...reason.invalid]) : []
}

const printed = (texts: readonly string[]) => [...new Set(texts.map((text) => parseId(text) ?? text))]
