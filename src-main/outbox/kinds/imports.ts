import { importRemovalRequest, importRequest } from '../../../src-shared/service/requests'
import { endpointsV12 } from '../../../src-shared/service/endpoints-v12'
import { requestTo } from '../../service-client/report'
import { notTaken } from '../finding'
import { type Key, caseKey, scannedKey } from '../payload'
import { reconcileCase } from '../reconcile-case'
import { plainAnswers } from './answers'
import type { KindRules, RulesOf, SendableRules } from './rules'

const { imports } = endpointsV12

const takesCase = (key: string): Key[] => [{ key, isExclusive: true }]

/** An import and its removal take their case alone. */
const ofCase: Omit<SendableRules<'import' | 'import-removal'>, 'request' | 'inverses'> = {
  keys: ({ caseId }) => takesCase(caseKey(caseId)),
  sharesOnceRefused: false,
  reconcile: reconcileCase,
  answers: plainAnswers,
  account: 'retail',
  about: () => ({}),
  name: ({ productName }) => productName,
}

const importing: SendableRules<'import'> = {
  ...ofCase,
  // Its answer is the one that is shown.
  answers: { ...plainAnswers, isTextYes: false, echo: 'service/already-imported' },
  request: (payload, _, sendsSku) =>
    requestTo(imports.create, [], importRequest(sendsSku ? payload : { ...payload, sku: undefined })),
  inverses: ({ caseId, packagedProductId, packageUid, productName, itemCount }) => [
    { kind: 'import-removal', caseId, packagedProductId, packageUid, productName, itemCount },
  ],
}

const importRemoval: SendableRules<'import-removal'> = {
  ...ofCase,
  answers: { ...plainAnswers, echo: 'service/package-unknown' },
  request: (payload) => requestTo(imports.remove, [], importRemovalRequest(payload)),
  inverses: null,
}

/** Never on the wire: it is found out first which import it is (`identify.ts`). */
export const blindImport: KindRules<'blind-import'> = {
  keys: ({ caseId, scanned }) => takesCase(caseId === null ? scannedKey(scanned) : caseKey(caseId)),
  sharesOnceRefused: false,
  reconcile: () => Promise.resolve(notTaken),
  answers: plainAnswers,
  account: 'retail',
  // It has nothing at the service yet that could be taken back.
  inverses: () => [],
  // What stood on the label is all there is to call it by.
  name: ({ scanned }) => scanned,
}

export const importKinds: RulesOf<'import' | 'import-removal'> = {
  import: importing,
  'import-removal': importRemoval,
}
