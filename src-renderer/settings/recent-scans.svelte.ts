import type { Client } from '../../src-shared/ipc/client'
import type { RecordedScan } from '../../src-shared/ipc/contract/scanner'
import { ok } from '../../src-shared/result'
import { PagedList } from '../ui/paged-list.svelte'

/** Recent scans, newest first, as long as a person has them open. */
export class RecentScans extends PagedList<RecordedScan> {
  constructor(client: Client) {
    super(async (before) => {
      const answer = await client.call('scanner.recent', before === null ? {} : { before })
      return answer.ok ? ok({ rows: answer.value.scans, next: answer.value.older, head: null }) : answer
    })
  }

  /** A code was scanned. A person who has gone on to older ones reads: new ones must not move the list. */
  scanned(): void {
    if (!this.isPastFirst) void this.load()
  }
}
