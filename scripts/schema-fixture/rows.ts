/**
 * Rows for every table, as the app writes them: an import that went through, a sale that waits for it, one that was
 * refused, a void without an answer, and one that another version wrote. A new table or column gets its rows here.
 */
const short = (n: number) => `fixture${String(n).padStart(15, '0')}`
const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const at = Date.parse('2026-09-01T12:00:00Z')

const operation = (seq: number, row: Record<string, unknown>) => ({
  seq,
  id: id(seq),
  performed_at: `2026-09-01T12:00:0${seq}.000Z`,
  performed_at_raw: at + seq * 1_000,
  clock_offset: -250,
  ...row,
})
const complete = (orderId: string, ...tagIds: string[]) => JSON.stringify({ kind: 'complete', orderId, tagIds })
const imported = {
  caseId: short(1),
  packagedProductId: short(2),
  packageUid: '1A4060300020081000000001',
  productName: 'Früchte – 3,5 g',
  itemCount: 2,
}

export const rows: Record<string, Record<string, unknown>[]> = {
  operation: [
    operation(1, {
      kind: 'import',
      payload: JSON.stringify({ kind: 'import', ...imported, posProductId: 'P', posInventoryId: 'I' }),
      state: 'accepted',
      attempts: 2,
      note: 'found-by-reading',
    }),
    operation(2, { kind: 'complete', payload: complete('A-1', short(11)), state: 'queued', blockers: 1 }),
    operation(3, {
      kind: 'complete',
      payload: complete('A-2', short(12)),
      state: 'rejected',
      attempts: 1,
      reason: JSON.stringify({ code: 'service/not-imported', tagIds: [short(12)] }),
    }),
    operation(4, {
      kind: 'void',
      payload: JSON.stringify({ kind: 'void', orderId: 'A-0', tagIds: [] }),
      state: 'unknown',
      attempts: 3,
      faults: 3,
      next_attempt_at: at + 60_000,
      uncertain: 1,
      undoes: id(1),
    }),
    operation(5, { kind: 'complete', payload: complete('A-3', short(11)), state: 'sending', attempts: 1 }),
    operation(6, { kind: 'teleport', payload: '{"kind":"teleport"}', state: 'cancelled', dismissed_because: 'twice' }),
  ],
  operation_key: [
    { key: `case:${short(1)}`, seq: 1, is_exclusive: 1 },
    { key: 'order:A-1', seq: 2, is_exclusive: 1 },
    { key: `case:${short(1)}`, seq: 2, is_exclusive: 0 },
    { key: `tag:${short(11)}`, seq: 5, is_exclusive: 1 },
  ],
  operation_wait: [{ waiter: 2, blocker: 5 }],
  journal: [
    { entry: 1, operation_seq: 1, at, actor: 'person', what: 'saved', to_state: 'queued' },
    {
      entry: 2,
      operation_seq: 1,
      at: at + 5,
      actor: 'station',
      what: 'claimed',
      from_state: 'queued',
      to_state: 'sending',
    },
    {
      entry: 3,
      operation_seq: 3,
      at: at + 9,
      actor: 'station',
      what: 'rejected',
      from_state: 'sending',
      to_state: 'rejected',
      detail: '{"code":"service/not-imported"}',
    },
  ],
  cart: [
    { mode: 'sale', order_id: 'A-4' },
    { mode: 'return', order_id: null },
  ],
  cart_item: [
    { position: 7, mode: 'sale', tag_id: short(13), scanned_at: at, flag: null },
    { position: 9, mode: 'sale', tag_id: short(14), scanned_at: at + 1, flag: 'unchecked' },
  ],
  open_order: [
    { id: 1, mode: 'sale', order_id: 'A-4', budtender_id: 'B-1', customer_id: null, held_at: null },
    { id: 2, mode: 'return', order_id: null, budtender_id: null, customer_id: null, held_at: null },
    { id: 3, mode: 'sale', order_id: 'A-5', budtender_id: null, customer_id: null, held_at: at },
  ],
  open_order_item: [
    { position: 7, open_order: 1, tag_id: short(13), scanned_at: at, flag: null },
    { position: 9, open_order: 3, tag_id: short(14), scanned_at: at + 1, flag: 'unchecked' },
  ],
  // The database fills this in itself.
  sale_entry: [],
  open_order_expected: [{ open_order: 1, line: short(3), expected: 2 }],
  seen_case: [{ case_id: short(1), identifier: 'BOX-1', facts: `{"caseId":"${short(1)}"}`, seen_at: at }],
  seen_tag: [{ tag_id: short(11), facts: `{"tagId":"${short(11)}"}`, seen_at: at }],
  seen_package: [{ package_uid: imported.packageUid, cases: '[]', seen_at: at }],
  found_thing: [
    {
      kind: 'collection',
      id: short(1),
      identifier: 'BOX-1',
      name: 'Früchte',
      detail: 'BOX-1',
      via: null,
      asked_at: at,
      shown_at: at + 1,
      size: 2,
      words: 'fruchte\nbox-1',
      view: '{}',
    },
    { kind: 'coa', id: short(31), via: short(1), asked_at: at, size: 2, words: 'clear labs', view: '{}' },
  ],
  memory: [
    {
      kind: 'collection',
      id: short(1),
      form: 'facts',
      identifier: 'BOX-1',
      asked_at: at,
      content: `{"caseId":"${short(1)}"}`,
    },
    { kind: 'tag', id: short(11), form: 'facts', name: 'Früchte', asked_at: at, content: `{"tagId":"${short(11)}"}` },
    { kind: 'package', id: imported.packageUid, form: 'facts', asked_at: at, content: '[]' },
    {
      kind: 'collection',
      id: short(1),
      form: 'view',
      identifier: 'BOX-1',
      name: 'Früchte',
      detail: 'BOX-1',
      asked_at: at,
      shown_at: at + 1,
      size: 2,
      words: 'fruchte\nbox-1',
      content: '{}',
    },
    {
      kind: 'coa',
      id: short(31),
      form: 'view',
      asked_at: at,
      via: short(1),
      size: 2,
      words: 'clear labs',
      content: '{}',
    },
  ],
  scan: [
    {
      number: 7,
      at,
      source: 'hid',
      device: 'Honeywell Voyager 1450g',
      symbology: ']Q1',
      kind: 'tag',
      meaning: JSON.stringify({ kind: 'tag', tagId: short(11), certain: true }),
      raw: `https://tag.example/${short(11)}`,
      raw_length: 42,
    },
    { number: 8, at: at + 1, source: 'wedge', kind: 'badge' },
  ],
  delivery: [
    { seq: 1, id: id(21), started_at: at, finished_at: at + 9 },
    { seq: 2, id: id(22), started_at: at + 10, finished_at: null },
  ],
  delivery_package: [{ position: 4, delivery: 2, package_uid: imported.packageUid }],
  delivery_case: [
    { position: 5, delivery: 2, case_id: short(1), package_uid: imported.packageUid },
    { position: 6, delivery: 2, case_id: short(4), package_uid: imported.packageUid, dropped: 1 },
  ],
  delivery_operation: [{ delivery: 2, operation_seq: 1 }],
  pos_mapping: [
    {
      product_id: short(3),
      package_uid: imported.packageUid,
      pos_product_id: 'P-1',
      pos_inventory_id: 'I-1',
      sku: null,
      at,
    },
  ],
  catalogue_row: [
    {
      line: 2,
      package_uid: imported.packageUid,
      product_name: 'Blue Dream',
      pos_product_id: 'P-1',
      pos_inventory_id: 'I-1',
      sku: 'S-1',
    },
  ],
  tag_count: [{ seq: 1, id: id(23), delivery: 2, case_id: null, started_at: at, finished_at: null }],
  tag_count_case: [{ position: 1, count: 1, case_id: short(1), identifier: 'BOX-1', product_name: 'Blue Dream' }],
  tag_count_expected: [{ count: 1, tag_id: short(11), case_id: short(1) }],
  tag_count_scanned: [{ count: 1, tag_id: short(12), at }],
  tag_count_resolved: [{ count: 1, tag_id: short(12), how: 'ignored', operation_id: null }],
  day_reading: [{ day: '2026-11-21', state: 'running', asked_at: at, started_at: at, finished_at: null, reports: 1 }],
  day_reading_item: [
    {
      position: 1,
      day: '2026-11-21',
      tag_id: short(11),
      case_id: short(1),
      reported: '{}',
      shown: '"free"',
      readings: 1,
    },
    { position: 2, day: '2026-11-21', tag_id: short(12), readings: 0 },
  ],
  report_seen: [{ seq: 4 }],
  outage: [
    { began_at: at, seen_at: at + 5, ended_at: at + 6, cause: 'unreachable' },
    { began_at: at + 9, seen_at: at + 9, ended_at: null, cause: 'failing' },
  ],
  customer_erasure: [{ customer_id: 'sealed:1:Zml4dHVyZQ==', asked_at: at }],
  setting: [
    { name: 'clock.offset', value: '-250' },
    { name: 'locale', value: '"es"' },
  ],
}
