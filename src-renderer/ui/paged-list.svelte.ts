import type { AppError } from '../../src-shared/errors'
import { type Result, ok } from '../../src-shared/result'
import { Ask } from './ask.svelte'
import { keepUnchanged } from './throttle'

/** So many pages are read again after a change; further ones when they are scrolled to. */
const mostReread = 25

/** A page of main's. */
export interface Page<Row, Cursor, Head> {
  rows: Row[]
  /** Where the next page begins; null after the last one. */
  next: Cursor | null
  /** How many rows there are in all, if main says so. */
  total?: number
  /** What the page says of the whole list. */
  head: Head
}

/** Reads the page that begins at a place; the first one for null. */
type ReadPage<Row, Cursor, Head> = (from: Cursor | null) => Promise<Result<Page<Row, Cursor, Head>, AppError>>

interface ShownPage<Row, Cursor, Head> extends Page<Row, Cursor, Head> {
  pages: number
}

/** A list that main gives in pages. Only answers to the latest question are shown. */
export class PagedList<Row, Cursor = number, Head = null> {
  readonly #ask = new Ask<ShownPage<Row, Cursor, Head>>()
  readonly #page: ReadPage<Row, Cursor, Head>
  readonly #idOf: ((row: Row) => string) | undefined
  /** How many pages are shown or being read. */
  #pages = 1

  /** Null until the first answer. They stay while newer ones are read. */
  rows = $derived(this.#ask.value?.rows ?? null)
  /** How many there are in all; as many as are shown if main doesn't count them. */
  total = $derived(this.#ask.value?.total ?? this.#ask.value?.rows.length ?? 0)
  /** What the newest page said of the whole list; null until the first answer. */
  head = $derived(this.#ask.value?.head ?? null)
  /** All are shown. */
  isWhole = $derived(this.#ask.value !== null && isWhole(this.#ask.value))

  /** `page` may depend on a filter of its owner. With `idOf`, only rows that changed are drawn again. */
  constructor(page: ReadPage<Row, Cursor, Head>, { idOf }: { idOf?: (row: Row) => string } = {}) {
    this.#page = page
    this.#idOf = idOf
  }

  get isBusy(): boolean {
    return this.#ask.isBusy
  }

  get error(): AppError | null {
    return this.#ask.error
  }

  /** A person has gone on to further pages: the first one alone must not take their place. */
  get isPastFirst(): boolean {
    return this.#pages > 1
  }

  /** Shows the first page, for another filter. Returns the answer to this question, whatever is shown by then. */
  async load(): Promise<Result<Page<Row, Cursor, Head>, AppError>> {
    return this.#read(1)
  }

  /** Reads again what is shown or being read: up to 25 pages. */
  async reload(): Promise<void> {
    await this.#read(Math.min(this.#pages, mostReread))
  }

  /** Appends the next page, if there is one and nothing else is being read. */
  async more(): Promise<void> {
    const shown = this.#ask.value
    if (!shown || isWhole(shown) || this.isBusy) return
    this.#pages = shown.pages + 1
    await this.#ask.ask(async (isNewest) => {
      const answer = await this.#page(shown.next)
      if (!answer.ok && isNewest()) this.#pages = shown.pages
      return answer.ok ? ok(appended(this.#ask.value ?? shown, answer.value)) : answer
    })
  }

  /** An event said more about rows that are shown. */
  patch(change: (rows: Row[]) => Row[]): void {
    this.#ask.patch((shown) => ({ ...shown, rows: change(shown.rows) }))
  }

  /** Shows nothing. An answer that is on its way isn't shown. */
  clear(): void {
    this.#ask.clear()
  }

  async #read(pages: number): Promise<Result<Page<Row, Cursor, Head>, AppError>> {
    this.#pages = pages
    return this.#ask.ask(async (isNewest) => {
      let shown: ShownPage<Row, Cursor, Head> | undefined
      do {
        const answer = await this.#page(shown?.next ?? null)
        if (!answer.ok) return answer
        shown = shown ? appended(shown, answer.value) : { ...answer.value, pages: 1 }
      } while (!isWhole(shown) && shown.pages < pages && isNewest())
      return ok({ ...shown, rows: this.#unchanged(shown.rows) })
    })
  }

  #unchanged(rows: Row[]): Row[] {
    return this.#idOf ? keepUnchanged(this.rows ?? [], rows, this.#idOf) : rows
  }
}

const isWhole = <Row>({ rows, next, total }: Pick<Page<Row, unknown, unknown>, 'rows' | 'next' | 'total'>) =>
  next === null || rows.length >= (total ?? Number.POSITIVE_INFINITY)

/** Appends a page. One without rows is the last one, also if it names a next one or a larger total. */
function appended<Row, Cursor, Head>(
  shown: ShownPage<Row, Cursor, Head>,
  { rows, next, total, head }: Page<Row, Cursor, Head>,
): ShownPage<Row, Cursor, Head> {
  const isEnd = rows.length === 0
  return {
    ...{ rows: [...shown.rows, ...rows], next: isEnd ? null : next, head, pages: shown.pages + 1 },
    ...(total !== undefined && { total: isEnd ? shown.rows.length : total }),
  }
}
