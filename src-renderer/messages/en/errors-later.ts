import type { ErrorKey } from '../errors'

/** Failures that nobody meets before the first scan: what this station says no to, and reports that were refused. */
export const errorsLater = {
  'error.service/other-dispensary.what': 'It is not meant for this dispensary.',
  'error.service/other-dispensary.means': 'The service says: {detail}',
  'error.service/other-dispensary.next': 'Set it aside and check the delivery papers.',

  'error.service/already-imported.what': 'This case is already imported.',
  'error.service/already-imported.means': 'The service says: {detail}',
  'error.service/already-imported.next':
    'Look again to see who has it. If it is here, dismiss this report in the Outbox.',

  'error.service/package-unknown.what': 'The service does not know this package UID.',
  'error.service/package-unknown.means': 'The service says: {detail}',
  'error.service/package-unknown.next': 'Compare it with the label, correct it and import again.',

  'error.service/invalid-fields.what': 'The service does not accept what was entered.',
  'error.service/invalid-fields.means': 'It says: {fields}',
  'error.service/invalid-fields.next': 'Correct it and try again.',

  'error.service/malformed-tags.what':
    '{count, plural, one {# item code is damaged.} other {# item codes are damaged.}}',
  'error.service/malformed-tags.means': 'All of the report was refused because of: {tagIds}.',
  'error.service/malformed-tags.next': 'Change the order in the Outbox: take these items out, or scan them again.',

  'error.service/unknown-tags.what':
    '{count, plural, one {The service does not know # item.} other {The service does not know # items.}}',
  'error.service/unknown-tags.means': 'All of the report was refused because of: {tagIds}.',
  'error.service/unknown-tags.next':
    'Set these items aside for a manager, and report the others: an order is changed in the Outbox, items for a case are scanned again in Find.',

  'error.service/not-imported.what':
    '{count, plural, one {# item is not in our inventory.} other {# items are not in our inventory.}}',
  'error.service/not-imported.means':
    '{count, plural, one {Its case was} other {Their cases were}} not imported here, so the whole order was refused: {tagIds}.',
  'error.service/not-imported.next':
    'Import the case in Receiving, then try again. Or change the order and sell it without these items.',

  'error.service/already-processed.what': 'The service has this already.',
  'error.service/already-processed.means': 'Another till may have reported it. The service says: {detail}',
  'error.service/already-processed.next': 'Check the order in the POS. If it is right there, dismiss this report.',

  'error.service/items-missing.what': 'The report had no items.',
  'error.service/items-missing.means': 'The service took nothing.',
  'error.service/items-missing.next': 'Scan the items and report the order again.',

  'error.checkout/duplicate.what': 'Already in this order',
  'error.checkout/duplicate.means': 'This very item was scanned before. It counts once.',
  'error.checkout/duplicate.next': 'Scan the next item.',

  'error.checkout/already-sold.what': 'Already sold in order {orderId}',
  'error.checkout/already-sold.means':
    '{isDated, select, yes {Sold on {soldAt, date, medium} at {soldAt, time, short}. } other {}}It was not added.',
  'error.checkout/already-sold.next': 'Return or void that order first, or take another item.',

  'error.checkout/already-returned.what': 'Already returned for order {orderId}',
  'error.checkout/already-returned.means': 'This item came back before. It was not added.',
  'error.checkout/already-returned.next': 'Scan another item.',

  'error.checkout/in-other-order.what': 'Sold in another order: {orderId}',
  'error.checkout/in-other-order.means': 'It can only go with its own order. It was not added.',
  'error.checkout/in-other-order.next': 'Use the number of that order, or scan another item.',

  'error.checkout/in-refused-order.what': 'In order {orderId}, which was refused',
  'error.checkout/in-refused-order.means':
    'The service did not take that order, so this item is not sold yet. It was not added.',
  'error.checkout/in-refused-order.next': 'Open the Outbox: change that order there, or dismiss it.',

  'error.checkout/cart-changed.what': 'The order changed while you finished it.',
  'error.checkout/cart-changed.means': 'Nothing was reported. What you see now is what it holds.',
  'error.checkout/cart-changed.next': 'Look at the items once more, then finish.',

  'error.checkout/cart-not-empty.what': 'There is another order on the checkout screen.',
  'error.checkout/cart-not-empty.means': 'The refused order needs that place. Nothing was changed.',
  'error.checkout/cart-not-empty.next': 'Finish or clear that order first.',

  'error.checkout/order-needs-attention.what': 'A report of order {orderId} was refused.',
  'error.checkout/order-needs-attention.means': 'Anything more for this order would wait behind it. Nothing was saved.',
  'error.checkout/order-needs-attention.next': 'Open the Outbox and deal with it: try again, change it or dismiss it.',

  'error.checkout/empty-cart.what': 'No items yet.',
  'error.checkout/empty-cart.means': 'There is nothing to report.',
  'error.checkout/empty-cart.next': 'Scan the items first.',

  'error.checkout/order-id-missing.what': 'The order number is missing.',
  'error.checkout/order-id-missing.means': 'The report needs it to match the sale in the POS.',
  'error.checkout/order-id-missing.next': 'Enter it as it stands on the receipt.',

  'error.checkout/order-id-used.what': 'Order {orderId} was reported before.',
  'error.checkout/order-id-used.means': 'An order number can be used once.',
  'error.checkout/order-id-used.next': 'Check the number on the receipt.',

  'error.checkout/order-voided.what': 'Order {orderId} was voided.',
  'error.checkout/order-voided.means': 'Nothing more can be done with it.',
  'error.checkout/order-voided.next': 'Check the number, or use a new order.',

  'error.checkout/order-unknown.what': 'Order {orderId} was never reported.',
  'error.checkout/order-unknown.means':
    'Its sale was withdrawn before the service had it, so there is nothing to void.',
  'error.checkout/order-unknown.next': 'Check the number on the receipt.',

  'error.checkout/in-open-order.what':
    '{isNumbered, select, yes {In order {orderId}, which is still open} other {In another order that is still open}}',
  'error.checkout/in-open-order.means':
    'It is on hold, or on another tab. An item can be in one order. It was not added.',
  'error.checkout/in-open-order.next': 'Go on with that order, or take the item out of it.',

  'error.checkout/sold-elsewhere.what': 'Sold before, and not by this till',
  'error.checkout/sold-elsewhere.means':
    '{isDated, select, yes {The service has it as sold on {soldOn, date, medium} at {soldOn, time, short}. } other {The service has it as sold. }}It was not added.',
  'error.checkout/sold-elsewhere.next': 'Set it aside and ask at the other till, or call a manager.',

  'error.checkout/unchecked.what': 'This item can’t be checked now',
  'error.checkout/unchecked.means': 'Nobody answers, and this till sells no unchecked items.',
  'error.checkout/unchecked.next': 'Try again when the connection is back, or sell another item.',

  'error.checkout/budtender-missing.what': 'Who serves?',
  'error.checkout/budtender-missing.means': 'This till takes no sale without a budtender. Nothing was reported.',
  'error.checkout/budtender-missing.next': 'Scan a badge, or pick a name.',

  'error.checkout/not-held.what': 'This order is no longer on hold.',
  'error.checkout/not-held.means': 'It was gone on with, or dropped, in the meantime.',
  'error.checkout/not-held.next': 'Look at the list again.',

  'error.checkout/nothing-to-hold.what': 'There is nothing to put on hold.',
  'error.checkout/nothing-to-hold.means': 'The order is empty.',
  'error.checkout/nothing-to-hold.next': 'Scan the next item.',

  'error.checkout/not-as-expected.what': '{scanned} of {expected} items',
  'error.checkout/not-as-expected.means': 'A line does not hold what it should. Nothing was reported.',
  'error.checkout/not-as-expected.next': 'Scan on, or correct how many there should be.',

  'error.checkout/never-sold-here.what': 'This till never sold this item',
  'error.checkout/never-sold-here.means': 'So its order is not known here. It may come from another till.',
  'error.checkout/never-sold-here.next': 'Enter the number of the order as it stands on the receipt.',

  'error.receiving/already-importing.what': 'This case is already being imported.',
  'error.receiving/already-importing.means': 'An earlier import of it is not finished. Nothing was added.',
  'error.receiving/already-importing.next': 'Wait for it, or look in the Outbox.',

  'error.receiving/choose-product.what': 'This case holds several products.',
  'error.receiving/choose-product.means':
    'It was imported without being looked up, and which product was meant is for you to say. Nothing was imported.',
  'error.receiving/choose-product.next': 'Open the case in Receiving and choose the product.',

  'error.receiving/empty-case.what': 'This case holds no products.',
  'error.receiving/empty-case.means': 'There is nothing in it that could be imported, as the service knows it.',
  'error.receiving/empty-case.next': 'Set it aside and ask the brand. Then try again, or dismiss this report.',

  'error.receiving/no-delivery.what': 'No delivery is being received.',
  'error.receiving/no-delivery.means': 'It was finished in the meantime. What was imported stays imported.',
  'error.receiving/no-delivery.next': 'Scan a package or a case to begin a new one.',

  'error.receiving/not-in-delivery.what': 'This is not part of the delivery.',
  'error.receiving/not-in-delivery.means': 'It was taken off the list in the meantime. Nothing was changed.',
  'error.receiving/not-in-delivery.next': 'Scan it again to put it back on the list.',

  'error.receiving/no-count.what': 'This count is no longer open.',
  'error.receiving/no-count.means': 'It was finished in the meantime. What was counted is kept.',
  'error.receiving/no-count.next': 'Start a new count if something is left to scan.',

  'error.receiving/count-open.what': 'Another count is not finished.',
  'error.receiving/count-open.means': 'A scan could not tell which of the two it belongs to. Nothing was started.',
  'error.receiving/count-open.next': 'Finish that count first.',

  'error.receiving/nothing-to-count.what': 'We do not know what is in it.',
  'error.receiving/nothing-to-count.means': 'Without its list of items there is nothing to compare with.',
  'error.receiving/nothing-to-count.next': 'Scan the case while the service answers, then start the count.',

  'error.receiving/not-a-difference.what': 'There is nothing to settle about this item.',
  'error.receiving/not-a-difference.means':
    'It was settled in another way, or it is where it should be. Nothing was changed.',
  'error.receiving/not-a-difference.next': 'Look at the list again.',

  'error.receiving/no-case-changes.what': 'We may not change this case or collection.',
  'error.receiving/no-case-changes.means':
    'Only the company that made it may, with an account that has access. Nothing was changed.',
  'error.receiving/no-case-changes.next':
    'Tell the brand what is wrong with it. In a count, ignore the difference. Or ask a manager to check the account.',

  'error.receiving/catalogue-broken.what': 'The catalogue was not loaded.',
  'error.receiving/catalogue-broken.means':
    'A part of the file got lost on the way. The catalogue from before is still in force.',
  'error.receiving/catalogue-broken.next': 'Choose the file again.',

  'error.service/origin-collection.what': 'This is a collection of origin.',
  'error.service/origin-collection.means':
    'It says where items come from. Nobody can remove or restore it, and nothing was changed.',
  'error.service/origin-collection.next':
    'If an item is wrong in it, ask the brand. A report that stands in the Outbox can be dismissed.',

  'error.service/other-company.what': 'This collection belongs to another company.',
  'error.service/other-company.means':
    'Only the company that owns it may remove or restore it, with an account that may. Nothing was changed.',
  'error.service/other-company.next':
    'Ask its company, or ask a manager to check the account. A report that stands in the Outbox can be dismissed.',

  'error.collection/no-account.what': 'Collections can’t be changed from here.',
  'error.collection/no-account.means':
    'This connection has no account of the sourcing product, and only that may change them. Sales and imports go on.',
  'error.collection/no-account.next': 'Ask a manager to add the sourcing account in Settings, under Connections.',

  'error.collection/is-removed.what': 'Collection {identifier} is removed.',
  'error.collection/is-removed.means': 'What is removed can’t be changed or removed once more. Nothing was reported.',
  'error.collection/is-removed.next': 'To change what is in it, restore it first.',

  'error.collection/not-removed.what': 'Collection {identifier} is not removed.',
  'error.collection/not-removed.means': 'There is nothing to restore. Nothing was reported.',
  'error.collection/not-removed.next': 'Look at it again: somebody may have restored it.',

  'error.collection/not-in-it.what': 'Item {tagId} is not in this collection.',
  'error.collection/not-in-it.means': 'It can’t be taken out, or put back where it never was. Nothing was reported.',
  'error.collection/not-in-it.next': 'Scan the item again, and look up where it is.',

  'error.collection/is-in-it.what': 'Item {tagId} is in this collection already.',
  'error.collection/is-in-it.means': 'There is nothing to put in. Nothing was reported.',
  'error.collection/is-in-it.next': 'Look at the collection again.',

  'error.collection/choose-product.what': 'This case holds several products.',
  'error.collection/choose-product.means':
    'Which of them goes into {identifier} is for you to say. Nothing was changed.',
  'error.collection/choose-product.next': 'Choose the product and try again.',

  'error.collection/product-not-in-case.what': 'This case does not hold that product.',
  'error.collection/product-not-in-case.means': 'So it can’t go into {identifier}. Nothing was changed.',
  'error.collection/product-not-in-case.next': 'Look at the case again and choose a product that it holds.',

  'error.outbox/not-found.what': 'This report is no longer there.',
  'error.outbox/not-found.means': 'It was settled in the meantime.',
  'error.outbox/not-found.next': 'Look at the list again.',

  'error.outbox/wrong-state.what': 'This can’t be done any more.',
  'error.outbox/wrong-state.means': 'The report moved on in the meantime.',
  'error.outbox/wrong-state.next': 'Look at the list again.',

  'error.outbox/unsettled.what': 'It was sent, but nothing shows whether the service has it.',
  'error.outbox/unsettled.means': 'Neither the answers nor what the service shows settle it.',
  'error.outbox/unsettled.next': 'Decide in the Outbox.',
  'error.outbox/unreadable.what': 'This saved report can’t be read by this version.',
  'error.outbox/unreadable.means': 'It is kept safe, but it is not sent.',
  'error.outbox/unreadable.next': 'Update Countertag, or ask support before you dismiss it.',

  'error.practice/not-active.what': 'This works in practice only.',
  'error.practice/not-active.means': 'Countertag is connected to a real service. Nothing was changed.',
  'error.practice/not-active.next': 'Switch to the practice profile to train.',
} satisfies Partial<Record<ErrorKey, string>>
