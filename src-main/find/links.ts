import type { Thing, ThingKind, ThingLink } from '../../src-shared/ipc/find-view'
import type { DigitalCoa, DigitalCoaV15 } from '../../src-shared/service/coas'
import { verdictOf } from '../../src-shared/service/facts'

/** Links to things, in so many words that a person can choose one. */

export const link = (kind: ThingKind, id: string, name?: string | null, detail?: string | null): ThingLink => ({
  kind,
  id,
  name: filled(name),
  detail: filled(detail),
})

/** Null for a text that says nothing. */
export const filled = (text: string | null | undefined): string | null => (text == null || text === '' ? null : text)

/** A collection by its id; its identifier beside it where a brand chose one. */
export const collectionLink = (one: { uuid: string; identifier: string; name?: string | null | undefined }) =>
  link('collection', one.uuid, one.name, one.identifier === one.uuid ? null : one.identifier)

export type AnyCoa = DigitalCoa | DigitalCoaV15
type CoaLink = Thing<'tag'>['coas'][number]

/** A certificate by its laboratory and the day of its report; whether it has expired is for `asOf` to say. */
const coaLink = (coa: AnyCoa): CoaLink => ({
  link: link(
    'coa',
    coa.uuid,
    coa.testing_laboratory?.name,
    (coa.report_created_on ?? coa.sample_tested_on)?.slice(0, 10),
  ),
  verdict: verdictOf(Object.values(coa.tests_performed ?? {})),
  expiresOn: filled(coa.report_expires_on),
  isExpired: false,
})

/** Certificates, each once. */
export const coaLinks = (coas: readonly AnyCoa[]): CoaLink[] => [
  ...new Map(coas.map((coa) => [coa.uuid, coaLink(coa)])).values(),
]
