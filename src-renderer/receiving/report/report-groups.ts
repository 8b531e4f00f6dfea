import type { ReportLine } from '../../../src-shared/ipc/delivery-view'

/** The lines of one package, in the order of arrival; of cases in no package or several it is null. */
export interface ReportGroup {
  packageUid: string | null
  lines: ReportLine[]
}

/** The lines of a report under their packages. */
export function groupsOf(lines: ReportLine[]): ReportGroup[] {
  const groups = new Map<string | null, ReportLine[]>()
  for (const line of lines) {
    const group = groups.get(line.packageUid) ?? []
    group.push(line)
    groups.set(line.packageUid, group)
  }
  return [...groups].map(([packageUid, of]) => ({ packageUid, lines: of }))
}
