import type { CertificateWord, CoaVerdict } from '../../src-shared/ipc/contract/receiving'
import type { CoaFacts } from '../../src-shared/service/facts'
import { isPast } from '../core/clock'

/** What speaks against a certificate, the graver first. `now`: by the service's clock, ms since 1970. */
export const certificateFaults = ({ verdict, expiresOn }: CoaFacts, now: number): ('failed' | 'expired')[] => [
  ...(verdict === 'failed' ? (['failed'] as const) : []),
  ...(isPast(expiresOn, now) ? (['expired'] as const) : []),
]

/** The one word of a certificate that every screen and paper shows. `none` becomes `no-results` if there is a certificate. */
export function certificateWord(coa: CoaFacts, now: number, isThere = coa.expiresOn !== null): CertificateWord {
  const word = certificateFaults(coa, now)[0] ?? coa.verdict
  return word === 'none' && isThere ? 'no-results' : word
}

/** What is said of a certificate at a moment. `now`: by the service's clock, ms since 1970. */
export const coaVerdict = (coa: CoaFacts, now: number): CoaVerdict => ({
  ...coa,
  isExpired: certificateFaults(coa, now).includes('expired'),
  word: certificateWord(coa, now),
})

const gravity: CertificateWord[] = ['passed', 'no-results', 'none', 'partly-tested', 'expired', 'failed']

/** The gravest word of several products, and how many of them have it; null if all passed or there are none. */
export function gravestCertificate(words: CertificateWord[]): { word: CertificateWord; count: number } | null {
  const word = gravity.findLast((one) => words.includes(one))
  if (word === undefined || word === 'passed') return null
  return { word, count: words.filter((one) => one === word).length }
}
