/** The questions before regulated changes, and the settings for them. */
export const gates = {
  'gate.changed': 'This has changed in the meantime. Check it again.',
  'gate.scan-missed': 'This scan didn’t count. Answer or cancel this first.',
  'gate.lead': 'A lead approves: scan their badge, or enter their short name and PIN.',
  'gate.lead.pin':
    'A lead approves: scan their badge, or enter their short name and PIN. The store’s manager PIN works without a short name.',
  'gate.lead.short-name': 'Short name of the lead',
  'gate.shown': '{name} approves',
  'gate.stays': '{name} stays signed in.',
  'gate.unsent': '{count, plural, one {Saved, not sent yet.} other {# changes saved, not sent yet.}}',
  'gate.unsent.label': 'Saved, not sent yet',
  'gate.un-import.title': 'Undo {count, plural, one {the import} other {# imports}}?',
  'gate.un-import.means':
    'Takes {isNamed, select, yes {{name}} other {{count, plural, one {the case} other {the cases}}}} out of your inventory. Sent when the service answers.',
  'gate.un-import.go': 'Undo {count, plural, one {the import} other {# imports}}',
  'gate.import-against-certificate.title':
    '{why, select, expired {Certificate expired {date, date, medium}} past {Certificate expired} failed {Certificate: test failed} other {{count, plural, one {The certificate failed or has expired} other {# certificates failed or have expired}}}}. Import anyway?',
  'gate.import-against-certificate.means':
    '{isNamed, select, yes {{name} goes} other {{count, plural, one {The case goes} other {# products go}}}} into your inventory. Sent when the service answers.',
  'gate.import-against-certificate.go': 'Import anyway',
  'gate.void.title': 'Void {isNamed, select, yes {order {name}} other {these orders}}?',
  'gate.void.means':
    '{isNamed, select, yes {The whole order is} other {Each whole order is}} voided{count, plural, =0 {} one {, and its item goes back into inventory} other {, and its # items go back into inventory}}. Sent when the service answers.',
  'gate.void.go': 'Void {isNamed, select, yes {order {name}} other {the orders}}',
  'gate.take-out.title': 'Remove {count, plural, one {this item} other {# items}} from the case?',
  'gate.take-out.means':
    'Removes {count, plural, one {this item} other {# items}} from {isNamed, select, yes {{name}} other {{count, plural, one {the case} other {their cases}}}}. Sent when the service answers.',
  'gate.take-out.go': 'Remove',
  'gate.remove-collection.title':
    'Remove {isNamed, select, yes {{name}} other {{count, plural, one {this collection} other {# collections}}}}?',
  'gate.remove-collection.means': 'The collection is removed, its items stay. Sent when the service answers.',
  'gate.remove-collection.go': 'Remove it',
  'gate.put-back.title': 'Put {count, plural, one {this item} other {# items}} back?',
  'gate.put-back.means':
    'Puts {count, plural, one {this item} other {# items}} back into {isNamed, select, yes {{name}} other {the case}}. Sent when the service answers.',
  'gate.put-back.go': 'Put back',
  'gate.add-items.title': 'Add {count, plural, one {this item} other {# items}}?',
  'gate.add-items.means':
    'Adds {count, plural, one {this item} other {# items}} to {isNamed, select, yes {{name}} other {the case}}. Sent when the service answers.',
  'gate.add-items.go': 'Add {count, plural, one {# item} other {# items}}',
  'gate.add-case.title': 'Add {count, plural, one {this case} other {# cases}} to the package?',
  'gate.add-case.means':
    'Adds {isNamed, select, yes {{name}} other {{count, plural, one {this case} other {# cases}}}} to the package. Sent when the service answers.',
  'gate.add-case.go': 'Add the case',
  'gate.restore-collection.title':
    'Restore {isNamed, select, yes {{name}} other {{count, plural, one {this collection} other {# collections}}}}?',
  'gate.restore-collection.means': 'The collection is active again. Sent when the service answers.',
  'gate.restore-collection.go': 'Restore it',
  'gate.sign-count.title': 'Sign the count?',
  'gate.sign-count.means':
    'The count of {isNamed, select, yes {{name}} other {the shelf}} is closed with {count, plural, =0 {no differences} one {# difference} other {# differences}} and can’t be changed afterwards. Nothing is reported.',
  'gate.sign-count.go': 'Sign',

  'gates.title': 'Confirmations',
  'gates.hint':
    'What is asked before a change is reported outside a normal sale. Reasons are kept and printed on reports.',
  'gates.no-pin': 'No PIN is set: where a PIN is chosen, the reason or the name is enough.',
  'gates.what': 'Change',
  'gates.wants': 'Asks for',
  'gates.ask': 'Confirmation',
  'gates.reason': 'Reason',
  'gates.pin': 'PIN and reason',
  'gates.sign.reason': 'Name',
  'gates.sign.pin': 'PIN and name',
  'gates.un-import': 'Undo an import',
  'gates.import-against-certificate': 'Import with a failed or expired certificate',
  'gates.void': 'Void an order',
  'gates.take-out': 'Remove an item from its case',
  'gates.remove-collection': 'Remove a collection',
  'gates.put-back': 'Put an item back',
  'gates.add-items': 'Add items',
  'gates.add-case': 'Add a case to a package',
  'gates.restore-collection': 'Restore a collection',
  'gates.sign-count': 'Sign a count of the shelf',

  'permitted.title': 'Changes with a reason',
  'scan.void.asked.reason': 'Enter the reason on the screen.',
}
