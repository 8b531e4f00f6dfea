import type { z } from 'zod'
import type { DigitalCoaV15 } from '../../src-shared/service/coas'
import { wireUuid } from '../../src-shared/service/wire-ids'
import type { createBatches } from './batches'

type Coa = ReturnType<ReturnType<typeof createBatches>['coas']>[number]

/** A Digital COA as `/api/v1.5` shows it. Spec: Digital COA. */
export const coaV15 = (coa: Coa) =>
  ({
    ...coa,
    uuid: wireUuid(coa.uuid),
    batch_uuid: wireUuid(coa.batch_uuid),
    testing_laboratory: laboratoryV15(coa.testing_laboratory),
  }) satisfies z.input<typeof DigitalCoaV15>

/** Spec: Testing laboratory. */
const laboratoryV15 = <T extends { uuid: string }>(laboratory: T) => ({
  ...laboratory,
  uuid: wireUuid(laboratory.uuid),
})

/** The laboratories of some COAs, each once. */
export const laboratoriesOf = (coas: readonly Coa[]) => [
  ...new Map(coas.map(({ testing_laboratory: one }) => [one.uuid, laboratoryV15(one)])).values(),
]
