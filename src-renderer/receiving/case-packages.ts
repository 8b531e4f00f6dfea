import type { PackageUid } from '../../src-shared/ids'
import type { CaseView } from '../../src-shared/ipc/receiving-view'

/** A case, as far as it says in which package it is. */
export interface Packed {
  packageUid: PackageUid | null
  view: Pick<CaseView, 'packageUids'> | null
}

/**
 * The packages that a case may be meant to be imported into: those its items are in now, and the one that was scanned in
 * this delivery and lists it. `isScanned`: whether a package was.
 */
export function packagesOf({ packageUid, view }: Packed, isScanned: (packageUid: string) => boolean): string[] {
  const current = view?.packageUids ?? []
  if (packageUid === null || current.includes(packageUid)) return current
  return current.length === 0 || isScanned(packageUid) ? [packageUid, ...current] : current
}

/** The only one of them; '' when there are several, which a person chooses from, or none. */
export function onlyPackageOf(packed: Packed, isScanned: (packageUid: string) => boolean): string {
  const [only = '', ...others] = packagesOf(packed, isScanned)
  return others.length === 0 ? only : ''
}
