import type { CaseDetail } from '../../src-shared/service/collections'
import { batchesOfCase } from './batch-thing'
import type { AnyBody } from './body'
import type { Asking, Found, Told } from './ask'
import { coaBody } from './coa-thing'
import { createGaps } from './gaps'
import { told } from './ask'

/** A case tells all about its batches and certificates, also about those that no account of ours can ask for. */
export function besidesOf(detail: CaseDetail): NonNullable<Told['besides']> {
  const batchName = new Map(detail.batches?.map((batch) => [batch.uuid, batch.name]))
  const coas = (detail.digital_coas ?? []).map((coa) =>
    coaBody(coa, coa.batch_uuid == null ? null : (batchName.get(coa.batch_uuid) ?? null)),
  )
  return { via: detail.uuid, bodies: [...batchesOfCase(detail), ...coas] }
}

/** A batch or certificate by way of a case that it was seen in. */
export async function askCaseAbout(
  { v12, turns }: Asking,
  caseId: string,
  ref: { kind: 'batch' | 'coa'; id: string },
): Promise<Found> {
  const detail = await turns(() => v12.cases.get(caseId))
  if (!detail.ok) return detail
  const besides = besidesOf(detail.value)
  const body = besides.bodies.find((one: AnyBody) => one.kind === ref.kind && one.ref.id === ref.id)
  return body ? told(body, createGaps(), besides) : { ok: false, error: { code: 'service/not-found', id: ref.id } }
}
