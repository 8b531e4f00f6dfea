import { ok } from '../../../src-shared/result'
import type { HandlersOf } from '../../ipc/handlers'
import type { Manifests } from './manifest'
import type { Pos } from './pos'

/** Calls about what was ordered, and what the POS calls it. */
export function manifestHandlers({ pos, manifests }: { pos: Pos; manifests: Manifests }) {
  /** The POS may call products otherwise now. */
  const renamed = <Answer>(answer: Answer): Answer => {
    manifests.productsChanged()
    return answer
  }
  return {
    'receiving.prefills': ({ pairs }) => ok(pos.prefills(pairs)),
    'receiving.catalogue': () => ok(pos.catalogue.view()),
    'receiving.loadCatalogue': (part) => renamed(pos.catalogue.load(part)),
    'receiving.forgetCatalogue': () => renamed(pos.catalogue.forget()),
    'receiving.manifest': async () => ok(await manifests.view()),
    'receiving.loadManifest': (part) => manifests.load(part),
    'receiving.removeManifest': ({ manifestId }) => manifests.remove(manifestId),
    'receiving.restoreManifest': ({ manifestId }) => manifests.restore(manifestId),
    'receiving.matchManifest': ({ manifestId, line, productId }) => manifests.match(manifestId, line, productId),
  } satisfies Partial<HandlersOf<'receiving'>>
}
