import { wireUuid } from '../../src-shared/service/wire-ids'

/**
 * Writes the ids of one answer of `/api/v1.5`: UUIDs, each worked out once, for the items of a case share most of
 * theirs. Spec: Conventions.
 */
export function longForm() {
  const known = new Map<string, string>()
  const id = (short: string): string => {
    const found = known.get(short) ?? wireUuid(short)
    known.set(short, found)
    return found
  }
  return {
    id,
    maybe: (short: string | null) => (short === null ? null : id(short)),
    all: (shorts: readonly string[]) => shorts.map(id),
  }
}
export type LongForm = ReturnType<typeof longForm>
