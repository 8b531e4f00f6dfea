import type { ErrorKey } from '../errors'

/** What happened, what it means for the customer or the clerk, what to do next. */
export const errors = {
  'error.ipc/unknown-call.what': 'Countertag could not do that.',
  'error.ipc/unknown-call.means': 'Its parts are of different versions. Nothing was changed.',
  'error.ipc/unknown-call.next': 'Close Countertag and start it again.',

  'error.ipc/invalid-input.what': 'Something entered can’t be used.',
  'error.ipc/invalid-input.means': 'Nothing was saved. What you entered is still here.',
  'error.ipc/invalid-input.next': 'Check the fields and try again.',

  'error.ipc/forbidden-sender.what': 'Countertag refused a request from this page.',
  'error.ipc/forbidden-sender.means': 'Nothing was changed.',
  'error.ipc/forbidden-sender.next': 'Close Countertag and start it again.',

  'error.ipc/disconnected.what': "Countertag's core does not answer.",
  'error.ipc/disconnected.means': 'We can’t tell whether this was done. What was saved before is safe.',
  'error.ipc/disconnected.next': 'Wait until it is back, look at the order or case, then try again if needed.',

  'error.app/unexpected.what': 'Something went wrong inside Countertag.',
  'error.app/unexpected.means': 'This step was not done. Everything saved before is safe.',
  'error.app/unexpected.next': 'Try again. If it happens again, give support this note: {reference}',

  'error.service/unreachable.what': 'No connection to the service.',
  'error.service/unreachable.means':
    'New information can’t be looked up now. Sales and imports are saved and sent later.',
  'error.service/unreachable.next': 'Go on working. If it lasts, check the network.',

  'error.service/credentials-refused.what': 'The service refuses our sign-in.',
  'error.service/credentials-refused.means': 'Reports are saved here, but none is sent until this is corrected.',
  'error.service/credentials-refused.next': 'Ask a manager to check the client ID and secret.',

  'error.service/credentials-missing.what': 'No sign-in for the service is set up.',
  'error.service/credentials-missing.means': 'Reports are saved here, but none can be sent.',
  'error.service/credentials-missing.next': 'Ask a manager to enter the client ID and secret.',

  'error.service/forbidden.what': 'This dispensary may not do that.',
  'error.service/forbidden.means': 'The service knows us, but our account has no right to it.',
  'error.service/forbidden.next': 'Ask a manager to check the account with the service.',

  'error.service/busy.what': 'The service is too busy.',
  'error.service/busy.means': 'Nothing is lost. Reports are tried again by themselves.',
  'error.service/busy.next': 'Go on working, or try again in a minute.',

  'error.service/failing.what': 'The service has trouble of its own.',
  'error.service/failing.means': 'Nothing is lost. Reports are tried again by themselves. (Status {status})',
  'error.service/failing.next': 'Go on working, or try again in a minute.',

  'error.service/unreadable.what': 'The service sent an answer we can’t read.',
  'error.service/unreadable.means': 'Perhaps a login page of the network answered instead of the service.',
  'error.service/unreadable.next': 'Check the network, then try again.',

  'error.service/foreign-host.what': 'This address does not belong to the service.',
  'error.service/foreign-host.means': 'We did not open it, to keep your data safe.',
  'error.service/foreign-host.next': 'Check the label. If it looks right, tell a manager.',

  'error.service/not-found.what': 'The service does not know {id}.',
  'error.service/not-found.means': 'It may be misread, or not registered yet.',
  'error.service/not-found.next': 'Scan again. If it stays unknown, set it aside and ask the brand.',

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
  'error.service/malformed-tags.means': 'The whole order was refused because of: {tagIds}.',
  'error.service/malformed-tags.next': 'Change the order in the Outbox: take these items out, or scan them again.',

  'error.service/unknown-tags.what':
    '{count, plural, one {The service does not know # item.} other {The service does not know # items.}}',
  'error.service/unknown-tags.means': 'The whole order was refused because of: {tagIds}.',
  'error.service/unknown-tags.next':
    'Change the order in the Outbox: take these items out, and set them aside for a manager.',

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

  'error.service/refused.what': 'The service refused it.',
  'error.service/refused.means': 'It says: {detail} (Status {status})',
  'error.service/refused.next': 'Correct it if you can, or ask a manager.',

  'error.scan/not-a-code.what': 'This is no code we know: {text}',
  'error.scan/not-a-code.means': 'It is no item, case or package.',
  'error.scan/not-a-code.next': 'Scan the QR code, or type the code if the label is damaged.',

  'error.scan/wrong-place.what':
    '{found, select, tag {This is a single item (TagID)} case {This is a case (CaseID)} package {This is a package} other {This is another kind of code}}',
  'error.scan/wrong-place.means':
    '{found, select, tag {It belongs in Checkout. Receiving takes packages and cases.} other {It belongs in Receiving. Checkout takes single items.}}',
  'error.scan/wrong-place.next':
    '{expected, select, tag {Scan the code on a single item.} case {Scan the code on the case.} other {Scan the label of the package.}}',

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

  'error.receiving/already-importing.what': 'This case is already being imported.',
  'error.receiving/already-importing.means': 'An earlier import of it is not finished. Nothing was added.',
  'error.receiving/already-importing.next': 'Wait for it, or look in the Outbox.',

  'error.outbox/not-found.what': 'This report is no longer there.',
  'error.outbox/not-found.means': 'It was settled in the meantime.',
  'error.outbox/not-found.next': 'Look at the list again.',

  'error.outbox/wrong-state.what': 'This can’t be done any more.',
  'error.outbox/wrong-state.means': 'The report moved on in the meantime.',
  'error.outbox/wrong-state.next': 'Look at the list again.',

  'error.outbox/unreadable.what': 'This saved report can’t be read by this version.',
  'error.outbox/unreadable.means': 'It is kept safe, but it is not sent.',
  'error.outbox/unreadable.next': 'Update Countertag, or ask support before you dismiss it.',

  'error.store/not-saved.what': 'This computer could not save it.',
  'error.store/not-saved.means': 'Nothing was saved and nothing was sent. The disk may be full.',
  'error.store/not-saved.next': 'Call a manager before you go on.',

  'error.store/in-use.what': 'Countertag is already open.',
  'error.store/in-use.means': 'Only one Countertag can work with the same data.',
  'error.store/in-use.next': 'Use the other window, or close it first.',

  'error.practice/not-active.what': 'This works in practice only.',
  'error.practice/not-active.means': 'Countertag is connected to a real service. Nothing was changed.',
  'error.practice/not-active.next': 'Switch to the practice profile to train.',
} satisfies Record<ErrorKey, string>
