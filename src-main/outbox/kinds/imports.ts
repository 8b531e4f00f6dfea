import { importRemovalRequest, importRequest } from '../../../src-shared/service/requests'
import { endpointsV12 } from '../../../src-shared/service/endpoints-v12'
import { requestTo } from '../../service-client/requests'
import { notTaken } from '../finding'
import { type Key, caseKey, scannedKey } from '../payload'
import { reconcileCase } from '../reconcile-case'
import { importAnswers } from './answers'
import type { KindRules, RulesOf, SendableRules } from './rules'

const { imports } = endpointsV12

const takesCase = (key: string): Key[] => [{ key, isExclusive: true }]

/** An import and its removal take their case alone. */
const ofCase: Omit<SendableRules<'import' | 'import-removal'>, 'request' | 'inverses' | 'about'> = {
  keys: ({ caseId }) => takesCase(caseKey(caseId)),
  sharesOnceRefused: false,
  reconcile: reconcileCase,
  answers: importAnswers,
  account: 'retail',
  name: ({ productName }) => productName,
}

const importing: SendableRules<'import'> = {
  ...ofCase,
  request: (payload, _, sendsSku) =>
    requestTo(imports.create, [], importRequest(sendsSku ? payload : { ...payload, sku: undefined })),
  about: ({ caseId, packagedProductId, packageUid }) => ({
    shows: { case_uuid: caseId, packaged_product_uuid: packagedProductId, package_uid: packageUid },
  }),
  inverses: ({ caseId, packagedProductId, packageUid, productName, itemCount }) => [
    { kind: 'import-removal', caseId, packagedProductId, packageUid, productName, itemCount },
  ],
}

const importRemoval: SendableRules<'import-removal'> = {
  ...ofCase,
  // Its answer is not shown.
  answers: { ...importAnswers, saysSuccess: true, echo: 'service/package-unknown' },
  request: (payload) => requestTo(imports.remove, [], importRemovalRequest(payload)),
  about: ({ caseId, packageUid }) => ({ shows: { case_uuid: caseId, package_uid: packageUid } }),
  inverses: null,
}

/** Never on the wire: it is found out first which import it is (`identify.ts`). */
export const blindImport: KindRules<'blind-import'> = {
  keys: ({ caseId, scanned }) => takesCase(caseId === null ? scannedKey(scanned) : caseKey(caseId)),
  sharesOnceRefused: false,
  reconcile: () => Promise.resolve(notTaken('nothing')),
  answers: importAnswers,
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
