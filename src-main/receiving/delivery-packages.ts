import type { AppError } from '../../src-shared/errors'
import type { PackageUid } from '../../src-shared/ids'
import type { DeliveryPackage } from '../../src-shared/ipc/delivery-view'
import type { PackageCases } from '../../src-shared/service/package-uids'
import { type Known, type Lookup, recall } from '../memory/lookup'
import type { Memory } from '../memory/store'

/** What packages hold, and why they could not be asked about the last time. */
export interface DeliveryPackages {
  /** The answer, what is remembered when nobody answers, undefined when it was never seen. */
  ask(packageUid: PackageUid): Promise<Known<PackageCases> | undefined>
  /** `asked` is what was just found out; left out, what is remembered is shown. */
  view(packageUid: PackageUid, asked?: Known<PackageCases>): DeliveryPackage
  forget(): void
}

export interface DeliveryPackagesParts {
  lookup: Pick<Lookup, 'package'>
  seen: Pick<Memory, 'package'>
}

export function createDeliveryPackages({ lookup, seen }: DeliveryPackagesParts): DeliveryPackages {
  const errors = new Map<PackageUid, AppError>()
  const remembered = (packageUid: PackageUid) => {
    const stored = seen.package(packageUid)
    return stored && recall(stored)
  }
  return {
    async ask(packageUid) {
      const known = await lookup.package(packageUid)
      const error = known.ok ? known.value.silence : known.error
      if (error) errors.set(packageUid, error)
      else errors.delete(packageUid)
      return known.ok ? known.value : remembered(packageUid)
    },
    view(packageUid, asked) {
      const known = asked ?? remembered(packageUid)
      return { packageUid, knowledge: known?.knowledge ?? null, error: errors.get(packageUid) ?? null }
    },
    forget() {
      errors.clear()
    },
  }
}
