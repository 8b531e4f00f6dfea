import { join } from 'node:path'
import type { Plugin } from 'vite'

/** A deliberate fault in the code of the claims: a text of a source file, and what stands there instead. */
export interface Mutation {
  name: string
  file: string
  text: string
  instead: string
  /** The test that has to find it: so few days show it that the suite may miss it. */
  test?: string
}

const [claims, held] = ['src-main/hub/postgres/claims.ts', 'src-main/hub/postgres/held.ts']
const tables = 'src-main/hub/postgres/tables.ts'
const [scan, scanning] = ['src-main/counter/scan.ts', 'src-main/counter/scanning.ts']
const finishing = 'src-main/counter/finishing.ts'
const ownClaims = 'src-main/hub/claims'
const [dirtyKeys, known] = ['src-main/sharing/dirty-keys.ts', `${ownClaims}/known-claims.ts`]
const [pushing, comparing] = [`${ownClaims}/pushing.ts`, `${ownClaims}/comparing.ts`]
const differences = `${ownClaims}/differences.ts`
const claimsTest = 'test/integration/hub/claims.test.ts'
const ownTest = 'test/integration/hub/own-claims.test.ts'
const counterTest = 'test/integration/hub/counter.test.ts'

export const mutations: readonly Mutation[] = [
  {
    name: 'the line is saved whatever the hub answers',
    file: scan,
    text: "return heldByOther(wish, claimedBy(answer.by), event, service === 'asked')",
    instead: '{ /* goes on */ }',
  },
  {
    name: 'the policy is ignored at the scan',
    file: scan,
    text: '(isTakeover || refuses)',
    instead: 'isTakeover',
  },
  {
    name: 'items that another station holds are completed',
    file: finishing,
    text: "claim?.kind === 'held' && claim.isRefused",
    instead: "claim?.kind === 'held' && false",
    test: counterTest,
  },
  {
    name: 'the report does not name the unchecked items',
    file: finishing,
    text: '...(unclaimed.length > 0 && { unclaimed }),',
    instead: '',
  },
  {
    name: 'a claim is granted whichever station holds it',
    file: claims,
    text: "WHERE (held.station = excluded.station AND held.kind <> 'sale') OR held.kind = 'returned'",
    instead: '',
  },
  {
    name: 'a claim is freed whatever its revision',
    file: claims,
    text: "(kind IN ('cart', 'held') AND held.revision <= back.revision)",
    instead: "kind IN ('cart', 'held')",
    test: claimsTest,
  },
  {
    name: 'a sale is taken over, whatever revision was seen',
    file: claims,
    text: "AND revision = $7 AND kind NOT IN ('sale', 'returned')",
    instead: 'AND $7::bigint IS NOT NULL',
    test: claimsTest,
  },
  {
    name: 'a return ends sales that were made after it',
    file: claims,
    text: "held.kind = 'sale' AND held.at <= excluded.back_at",
    instead: "held.kind = 'sale'",
    test: claimsTest,
  },
  {
    name: 'a sale from before its return takes the item again',
    file: claims,
    text: "(excluded.kind = 'sale' AND excluded.at <= held.back_at)",
    instead: 'false',
    test: claimsTest,
  },
  {
    name: 'an item that a late sale took from an open order is free once that sale ends',
    file: tables,
    text: 'NEW.displaced := to_jsonb(OLD);',
    instead: 'NEW.displaced := NULL;',
    test: claimsTest,
  },
  {
    name: 'a void is forgotten if its sale is not told yet',
    file: claims,
    text: "wish.kind = 'sale' AND gone.order_id = wish.order_id",
    instead: 'false',
    test: claimsTest,
  },
  {
    name: 'a key that changed meanwhile counts as told',
    file: dirtyKeys,
    text: 'DELETE FROM dirty_key WHERE ${one} AND change = ?',
    instead: 'DELETE FROM dirty_key WHERE ${one} AND change <> -1 - ?',
  },
  {
    name: 'what was told is forgotten, also if it was granted again since',
    file: known,
    text: 'if (knownUpTo(rows.claim(tagId)) === known) rows.delete(tagId)',
    instead: 'rows.delete(tagId)',
    test: ownTest,
  },
  {
    name: 'the comparison tells the hub nothing',
    file: comparing,
    text: 'this.#pushing.ask()\n    if (await this.#notices.read()) this.#pushing.ask()',
    instead: 'if (await this.#notices.read()) this.#pushing.ask()',
  },
  {
    name: 'the comparison overlooks claims that the hub lacks',
    file: differences,
    text: 'for (const { tagId } of lacking) found.dirty.push(tagId)',
    instead: '',
  },
  {
    name: 'the comparison overlooks claims that no line has',
    file: differences,
    text: "if (claim.revision <= (knownUpTo(compared.known.get(tagId)) ?? 0)) return 'push'",
    instead: "if (!compared.isSold(tagId)) return 'none'",
  },
  {
    name: 'the other station of a collision is not told',
    file: pushing,
    text: 'if (collisions.length > 0 && !(await this.#notices.push(collisions))) return undefined',
    instead: '',
  },
  {
    name: 'a return is not told once the item is in a newer order',
    file: pushing,
    text: '(one.before ?? [])',
    instead: '[]',
    test: ownTest,
  },
  {
    name: 'an answer that comes late undoes a newer grant',
    file: known,
    text: 'if (before?.revision != null && before.revision > revision) return false',
    instead: '',
    test: ownTest,
  },
  {
    name: 'a note that is made again has the number of one that was told',
    file: 'src-main/sharing/watch.ts',
    text: 'random() >> 11',
    instead: '1',
    test: ownTest,
  },
  {
    name: 'a claim that the hub lacks goes on counting as granted',
    file: known,
    text: 'for (const tagId of lost) this.#unsure.add(tagId)',
    instead: '',
    test: ownTest,
  },
  {
    name: 'claims from before a start count before they are compared',
    file: known,
    text: 'if (revision !== null) this.#unsure.add(tagId)',
    instead: '',
    test: counterTest,
  },
  {
    name: 'a claim from before counts for a line that is scanned again without the hub',
    file: scanning,
    text: 'else claims?.keepUnchecked(tagId)',
    instead: '',
    test: counterTest,
  },
  {
    name: 'a claim from before counts for an order that the hub gave back without it',
    file: 'src-main/counter/shared-orders.ts',
    text: 'claims.doubt(tagIds.filter((one) => !moved.some(({ tagId }) => tagId === one)))',
    instead: '',
    test: counterTest,
  },
  {
    name: 'an order on hold is resumed by whichever station asks',
    file: held,
    text: 'AND (taken_by IS NULL OR taken_by = $1) AND NOT is_done`)',
    instead: 'AND NOT is_done`)',
    test: counterTest,
  },
]

/** Replaces the text while bundling. Throws if it isn't there exactly once. */
export function mutate(root: string, { name, file, text, instead }: Mutation): Plugin {
  return {
    name: 'mutation',
    enforce: 'pre',
    transform(code, id) {
      if (id !== join(root, file)) return undefined
      if (code.split(text).length !== 2) throw new Error(`"${name}": ${file} doesn't have this text once: ${text}`)
      return code.replace(text, () => instead)
    },
  }
}
