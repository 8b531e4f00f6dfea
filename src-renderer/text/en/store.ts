/** A store of several stations. */
export const store = {
  'hub.online': 'Store connected',
  'hub.online.means': 'This is {station}. Items are checked with the other stations.',
  'hub.offline': 'Store hub: no answer',
  'hub.offline.read-only': 'Store hub: read-only',
  'hub.offline.full': 'Store hub: disk full',
  'hub.offline.in-use': 'Identity in use',
  'hub.offline.warn':
    'Items are not checked with the other stations. They can be sold, and are marked until they are checked.',
  'hub.offline.refuse': 'Items can’t be checked with the other stations, so no new items are taken.',
  'hub.notice': 'Item at two stations',
  'hub.notice.collided': '{item} is also in {order, select, numbered {order {orderId}} other {an order}} at {station}',
  'hub.notice.collided.means':
    '{own, select, sold {{report, select, refused {The service refused order {ownOrderId} here: there is nothing to void. Check which customer has the item, then open the Outbox.} reported {The service has order {ownOrderId} here, and takes an item in one order only. The other order is corrected at {station}.} open {Order {ownOrderId} here has it too. The service takes one of the two. The other one will need attention in the Outbox of its station.} other {It was in order {ownOrderId} here.}}} open {Order {ownOrderId} here has it too. Remove it there, or take it over.} other {Compare with that station.}}',
  'hub.notice.taken-over': '{station} took over {item}',
  'hub.notice.taken-over.means':
    '{left, select, yes {It left {own, select, none {an order} other {order {ownOrderId}}} here and is now in {order, select, numbered {order {orderId}} other {an order}} there.} other {{own, select, sold {Order {ownOrderId} here was completed with it before that. Only one of the two orders can have it: ask at {station}.} open {It was in order {ownOrderId} here. Remove it from that order.} other {It was in an order here.}}}}{why, select, yes { Reason: {because}.} other {}}',
  'hub.notice.settling': '{station} now settles the differences of a count',
  'hub.notice.settling.means':
    'It holds {item}. This station had begun to settle them. Continue there.{why, select, yes { Reason: {because}.} other {}}',
  'hub.notice.order': 'Show order',
  'held.at': 'At {station}',
  'hub.removed-station': 'a removed station',
  'claim.unchecked': 'Not checked with the other stations',
  'claim.held':
    '{isSold, select, yes {{order, select, numbered {Sold in order {orderId} at {station}} other {Sold at {station}}}} other {{order, select, numbered {In order {orderId} at {station}, since {at}} other {In an order at {station}, since {at}}}}}',
  'claim.take-over': 'Take it over',
  'sold-twice.refused.what':
    '{name}: {order, select, numbered {order {orderId}} other {an order}} at {station} has it too',
  'sold-twice.refused.means': 'The service takes an item in one order and refused this one. There is nothing to void.',
  'sold-twice.refused.next':
    '{count, plural, =1 {Check which customer has the item. If it is the other one, correct the order in the POS and dismiss this report.} other {Check which customer has the item. If it is the other one, choose Change, remove the item and complete the order again.}}',
  'sold-twice.group.what': 'Items of these orders are in orders of other stations too',
  'sold-twice.group.means': 'The service takes an item in one order and refused these. There is nothing to void.',
  'sold-twice.find': 'Also in {order, select, numbered {order {orderId}} other {an order}} at {station}',
  'sold-twice.find.own': 'Here: order {ownOrderId}',
  'claim.scan.held': '{name}: {isSold, select, yes {sold at another station} other {in an order at another station}}',
  'claim.take-over.title': 'Take over {name}?',
  'claim.take-over.means':
    'It leaves its order at {station}, which gets a notice with the reason. {needsPin, select, yes {A manager enters the PIN and a reason.} other {Enter a reason.}}',
  'claim.take-over.hint': 'Shown at {station} too.',
  'nav.store': 'Store',
  'store.read': 'Updated {at}',
  'store.loading': 'Reading the stations of the store',
  'store.this': 'This station',
  'store.well': 'All well',
  'store.seen-now': 'Heard just now',
  'store.state.gone': 'Not heard {since}',
  'store.next.gone': 'Switch it on, or check its network. If it left for good, remove it.',
  'store.state.unreadable': 'Its report can’t be read',
  'store.next.unreadable': 'Update Countertag at both stations.',
  'store.state.attention': '{count, plural, one {# report needs attention} other {# reports need attention}}',
  'store.next.attention':
    '{isThis, select, yes {Open the Outbox and resolve it.} other {Open the Outbox at that station and resolve it.}}',
  'store.state.unsent': '{count, plural, one {# report not sent} other {# reports not sent}}',
  'store.next.unsent': 'They are sent automatically. If the number stays, check the connection.',
  'store.state.unshared': '{count, plural, one {# scan or import not shared} other {# scans and imports not shared}}',
  'store.next.unshared':
    '{isThis, select, yes {The other stations don’t know them. Connect this station to the store hub.} other {The other stations don’t know them. Start Countertag there and connect it to the store hub.}}',
  'store.state.clock': 'Clock {span} {direction, select, behind {behind} other {ahead}}',
  'store.next.clock': 'Set the clock of that computer.',
  'store.state.scanner': 'Scanner problem',
  'store.next.scanner':
    '{isThis, select, yes {Open Settings > Scanners.} other {Open Settings > Scanners at that station.}}',
  'store.state.version': 'Version {version}',
  'store.next.version': 'This station has version {own}. Update the older one.',
  'store.remove.label': 'Remove {station} from the store',
  'store.remove.title': 'Remove {station} from the store?',
  'store.remove.means':
    'Items in its open orders can be sold at the other stations. Its sales are kept. Do this only if the station is gone for good; if it comes back, it joins again automatically.',
  'store.remove.copy':
    'Its open items can be sold at the other stations. Its sales are kept. Do this only if no other computer works as {station}.',
  'store.offline.title': 'The store hub doesn’t answer',
  'store.offline.title.read-only': 'The store hub takes no changes',
  'store.offline.title.full': 'The store hub’s disk is full',
  'store.offline.title.in-use': 'Another computer is {station} too',
  'store.offline.in-use.next':
    'If this computer was set up from a copy of the other one, give it its own identity. If not, close Countertag on the other one.',
  'store.offline.old': 'The list below is from the last answer.',
  'store.as-of': 'As of {at}',
  'store.overtaken.checkout.settings': 'Your checkout settings were not kept',
  'store.overtaken.people.rules': 'Your rules for signing in were not kept',
  'store.overtaken.outbox.limits': 'Your Outbox limits were not kept',
  'store.overtaken.security.gates': 'Your PIN and reason settings were not kept',
  'store.overtaken.means':
    'They were changed at another station at {at}, and those count for the whole store. Change them again if yours should.',
  'store.state.awaited': 'Waiting for it',
  'store.next.awaited': 'Start Countertag there: it then tells the store hub which items it holds.',
  'claim.awaited': 'Not checked with {stations}',
  'hub.rival': 'Identity used twice',
  'hub.rival.means':
    'Another computer wants to work as {station}. It is refused while this one works. See the Store screen.',
  'hub.copy': 'Older data than the hub',
  'hub.copy.means': 'The store hub holds items of {station} that this computer doesn’t know. See the Store screen.',
  'hub.awaited': 'Waiting for {stations}',
  'hub.awaited.means':
    'The store hub was set up again or restored. {policy, select, warn {Items are not checked with {stations}.} other {No new items are taken.}} See the Store screen.',
  'store.rival.title': 'Another computer wants to be {station} too',
  'store.rival.means':
    'It was probably set up from a copy of this one. It can’t reach the store while this computer works. Give one of the two its own identity, on its Store screen.',
  'store.copy.title': 'The store hub knows more of {station} than this computer',
  'store.copy.means':
    'This computer’s data is older, or another computer worked with a copy of it. The items of that copy can’t be sold elsewhere: it is listed below as a copy of {station}. If no other computer works as {station}, remove the copy: its open items are free again, and its sales stay.',
  'store.awaited.means':
    'The store hub was set up again or restored. It doesn’t know yet which items {stations} {count, plural, one {holds} other {hold}}. {policy, select, warn {Items are taken and marked until then.} other {No new items are taken until then.}} Start Countertag there, or continue without {count, plural, one {that station} other {those stations}}.',
  'store.go-on': 'Continue without {stations}',
  'store.go-on.title': 'Continue without {stations}?',
  'store.go-on.means':
    '{count, plural, one {Items in its orders can be sold at the other stations too. Do this only if it has no open orders, or won’t come back.} other {Items in their orders can be sold at the other stations too. Do this only if they have no open orders, or won’t come back.}}',
  'store.go-on.wait': 'Wait',
  'store.state.copy': 'Copy of {station}',
  'store.next.copy': 'Remove it once no other computer works as {station}.',
  'store.identity': 'Give this computer its own identity',
  'store.identity.title': 'Give this computer its own identity?',
  'store.identity.means':
    'It becomes a station of its own; the other computer stays {station}. Items that both have in open orders stay with {station} until they are taken over.',
  'store.identity.unsent':
    'Unsent reports that were copied are on both computers. Both send them, and the service takes each once; here they may need attention as already reported.',
  'store.identity.go': 'Give it its own identity',
} as const
