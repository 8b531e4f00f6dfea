import type { AppError } from '../../../src-shared/errors'
import type { ManifestId, PackageUid, ShortUuid } from '../../../src-shared/ids'
import type { Client } from '../../../src-shared/ipc/client'
import type {
  ManifestExtra,
  ManifestHead,
  ManifestLine,
  ManifestPackage,
  ManifestView,
} from '../../../src-shared/ipc/contract/manifest'
import type { Result } from '../../../src-shared/result'
import { Command } from '../../ui/command.svelte'

/** One row of the list: a line of the manifest with its package, or something that is not on it. */
export type ManifestItem =
  | { kind: 'line'; key: string; package: ManifestPackage; line: ManifestLine }
  | { kind: 'extras'; key: string; count: number }
  | { kind: 'extra'; key: string; extra: ManifestExtra }

type Proposal = NonNullable<ManifestLine['proposal']>

/** The manifest of the delivery under way or of the next one, as main tells it. */
export class Manifest {
  head = $state.raw<ManifestHead | null>(null)
  packages = $state.raw<ManifestPackage[]>([])
  extras = $state.raw<ManifestExtra[]>([])
  undoable = $state.raw<ManifestView['undoable']>(null)
  /** Only what is not as the manifest says. */
  isOpenOnly = $state(false)
  readonly steps = new Command()
  /** The next product that a line probably means, if any: a person confirms it or says that it isn't. */
  proposal = $derived.by(() => this.#nextProposal())
  items = $derived(itemsOf(this.packages, this.extras, this.isOpenOnly))
  readonly #byUid = $derived(Map.groupBy(this.packages, ({ packageUid }) => packageUid))
  readonly #client: Client
  /** What a person said isn't the same, until the page is closed. */
  #refused = $state.raw<readonly string[]>([])
  #revision = -1

  constructor(client: Client) {
    this.#client = client
  }

  /** Reads the manifest: at the start, and after main was away. */
  async load(): Promise<void> {
    this.#revision = -1
    const answer = await this.#client.call('receiving.manifest', undefined)
    // An event that overtook the answer is newer.
    if (answer.ok && answer.value.revision >= this.#revision) this.#show(answer.value)
  }

  /** Main told of a manifest, or of what changed in it. */
  changed(view: ManifestView): void {
    this.#show(view)
  }

  #show(view: ManifestView): void {
    const changed = Map.groupBy(view.packages, ({ packageUid }) => packageUid)
    this.packages = view.isWhole ? view.packages : this.packages.map((one) => changed.get(one.packageUid)?.[0] ?? one)
    this.head = view.manifest
    this.extras = view.extras
    this.undoable = view.undoable
    this.#revision = view.revision
  }

  of(packageUid: PackageUid): ManifestPackage | undefined {
    return this.#byUid.get(packageUid)?.[0]
  }

  isExtra(packageUid: PackageUid): boolean {
    return this.extras.some((one) => one.kind === 'package' && one.packageUid === packageUid)
  }

  remove(): Promise<boolean> {
    return this.#step((manifestId) => this.#client.call('receiving.removeManifest', { manifestId }))
  }

  /** Puts the manifest in force again that was removed or replaced last. */
  async restore(): Promise<void> {
    const { undoable } = this
    if (undoable) {
      await this.steps.run(() => this.#client.call('receiving.restoreManifest', { manifestId: undoable.manifestId }))
    }
  }

  /** Says which product a line means; null takes it back. */
  match({ line }: ManifestLine, productId: ShortUuid | null): Promise<boolean> {
    return this.#step((manifestId) => this.#client.call('receiving.matchManifest', { manifestId, line, productId }))
  }

  /** The product that the line probably means; undefined if a person said that it isn't. */
  proposalOf({ line, proposal }: ManifestLine): ManifestLine['proposal'] {
    return proposal && !this.#refused.includes(keyOfProposal(line, proposal)) ? proposal : undefined
  }

  confirm({ line, proposal }: { line: ManifestLine; proposal: Proposal }): Promise<boolean> {
    return this.match(line, proposal.productId)
  }

  /** The proposed product isn't the line's: nothing is proposed any more, and the line differs. */
  refuse({ line: { line }, proposal }: { line: ManifestLine; proposal: Proposal }): void {
    this.#refused = [...this.#refused, keyOfProposal(line, proposal)]
  }

  #nextProposal(): { line: ManifestLine; proposal: Proposal } | null {
    for (const { lines } of this.packages) {
      for (const line of lines) {
        const proposal = this.proposalOf(line)
        if (proposal) return { line, proposal }
      }
    }
    return null
  }

  async #step(command: (id: ManifestId) => Promise<Result<null, AppError>>): Promise<boolean> {
    const { head } = this
    return head !== null && this.steps.does(() => command(head.id))
  }
}

const keyOfProposal = (line: number, { productId }: Proposal) => `${line} ${productId}`

function itemsOf(packages: ManifestPackage[], extras: ManifestExtra[], isOpenOnly: boolean): ManifestItem[] {
  const lines = packages.flatMap((one) =>
    one.lines.map((line): ManifestItem => ({ kind: 'line', key: `line ${line.line}`, package: one, line })),
  )
  const shown = isOpenOnly ? lines.filter((item) => item.kind === 'line' && item.line.state.kind !== 'here') : lines
  if (extras.length === 0) return shown
  const keyOf = (extra: ManifestExtra) =>
    extra.kind === 'case' ? extra.caseId : `${extra.packageUid} ${extra.kind === 'product' ? extra.productId : ''}`
  return [
    ...shown,
    { kind: 'extras', key: 'extras', count: extras.length },
    ...extras.map((extra): ManifestItem => ({ kind: 'extra', key: `extra ${keyOf(extra)}`, extra })),
  ]
}
