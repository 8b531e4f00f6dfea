import type { AppError } from '../../src-shared/errors'
import type { Client } from '../../src-shared/ipc/client'
import type { CallOutput } from '../../src-shared/ipc/contract'
import type { JournalFilter, JournalLine } from '../../src-shared/ipc/contract/journal'
import type { PersonId } from '../../src-shared/people'
import { type Result, ok } from '../../src-shared/result'
import { classify } from '../../src-shared/scan/classify'
import { Ask } from '../ui/ask.svelte'
import { Command } from '../ui/command.svelte'
import { type Page, PagedList } from '../ui/paged-list.svelte'
import { daySpan } from './journal-lines'

/** A part of main's may have few lines that the filter leaves: so many are shown at once. */
const leastShown = 50

type Part = CallOutput<'journal.page'>

/** The item that a text names: by its TagID, or by the whole code. */
function itemIn(text: string): string {
  const meaning = classify(text, 'other')
  return meaning.kind === 'tag' ? meaning.tagId : text
}

/** The journal of the station, in parts, filtered. */
export class JournalView {
  person = $state<PersonId | null>(null)
  kind = $state<NonNullable<JournalFilter['kind']> | null>(null)
  /** YYYY-MM-DD; '' for all. */
  day = $state('')
  orderId = $state('')
  item = $state('')
  readonly list = new PagedList<JournalLine>((before) => this.#page(before))
  readonly check = new Ask<CallOutput<'journal.verify'>>()
  readonly saving = new Command()
  readonly #client: Client
  /** Of the filter: parts for an older one are not read on. */
  #asked = 0

  constructor(client: Client) {
    this.#client = client
  }

  get isFiltered(): boolean {
    return Object.keys(this.#filter()).length > 0
  }

  async load(): Promise<void> {
    this.#asked += 1
    await this.list.load()
  }

  async verify(): Promise<void> {
    await this.check.ask(() => this.#client.call('journal.verify', undefined))
  }

  /** All lines that the filter leaves, newest first; undefined if that was refused. */
  async export(): Promise<JournalLine[] | undefined> {
    const filter = this.#filter()
    const answer = await this.saving.run(() =>
      partsOf(null, Infinity, (before) => this.#client.call('journal.export', { filter, ...before })),
    )
    return answer?.ok ? answer.value.lines : undefined
  }

  async #page(from: number | null): Promise<Result<Page<JournalLine, number, null>, AppError>> {
    const filter = this.#filter()
    const asked = this.#asked
    const answer = await partsOf(
      from,
      leastShown,
      (before) => this.#client.call('journal.page', { filter, ...before }),
      () => asked === this.#asked,
    )
    return answer.ok ? ok({ rows: answer.value.lines, next: answer.value.older, head: null }) : answer
  }

  #filter(): JournalFilter {
    const [orderId, item] = [this.orderId.trim(), itemIn(this.item.trim())]
    return {
      ...(this.person !== null && { person: this.person }),
      ...(this.kind !== null && { kind: this.kind }),
      ...(this.day !== '' && daySpan(this.day)),
      ...(orderId !== '' && { orderId }),
      ...(item !== '' && { item }),
    }
  }
}

/** Reads parts from a line on, until there are enough lines. */
async function partsOf(
  from: number | null,
  least: number,
  read: (before: { before?: number }) => Promise<Result<Part, AppError>>,
  isWanted = () => true,
): Promise<Result<Part, AppError>> {
  const lines: JournalLine[] = []
  let older = from
  do {
    const answer = await read(older === null ? {} : { before: older })
    if (!answer.ok) return answer
    lines.push(...answer.value.lines)
    older = answer.value.older
  } while (older !== null && lines.length < least && isWanted())
  return ok({ lines, older })
}
