/** What a person should know without asking: in the bar in few words, in the list with what it means. */
export const warnings = {
  'warnings.title': 'Warnings',
  'warnings.open': 'Show warnings',
  'warnings.more': 'and {count} more',
  'warnings.none': 'No warnings',
  'warnings.none.means': 'All is as it should be.',
  'warnings.settings': 'Open Settings',

  'warning.unsent-many.short': 'Many unsent',
  'warning.unsent-many.title': '{count, plural, one {# report waits to be sent.} other {# reports wait to be sent.}}',
  'warning.unsent-many.means':
    'The limit in Settings is reached. They are safe here, and you can go on selling. Find out why nothing goes out.',
  'warning.unsent-old.short': 'Unsent for {span}',
  'warning.unsent-old.title': 'A report has not been sent {since}.',
  'warning.unsent-old.means':
    'The limit in Settings is passed. It is safe here, and you can go on selling. Look in the Outbox what it waits for.',
  'warning.clock-off.short': '{direction, select, behind {Clock {span} behind} other {Clock {span} ahead}}',
  'warning.clock-off.title':
    '{direction, select, behind {This computer’s clock is {span} behind the service’s.} other {This computer’s clock is {span} ahead of the service’s.}}',
  'warning.clock-off.means': 'Times of sales are corrected. Set the clock right.',
  'warning.data-salvaged.short': 'Data was damaged',
  'warning.data-salvaged.title': 'The data on this computer was damaged.',
  'warning.data-salvaged.what':
    'It was found on {at, date, medium} at {at, time, short}. The damaged file was set aside as {file}.',
  'warning.data-salvaged.saved':
    '{count, plural, =0 {No report could be saved out of it.} one {# report was saved.} other {# reports were saved.}}',
  'warning.data-salvaged.from-backup':
    '{count, plural, one {# of them was only in the last backup.} other {# of them were only in the last backup.}}',
  'warning.data-salvaged.lost':
    '{count, plural, =0 {None was lost.} one {# report is lost: enter it again from the receipts.} other {# reports are lost: enter them again from the receipts.}}',
  'warning.data-salvaged.lost-unknown': 'Whether any were lost can’t be told: compare the last orders with the POS.',
  'warning.data-salvaged.means': 'What was not sent yet is looked into before it is sent again.',
  'warning.data-salvaged.noted': 'I have taken note',
  'warning.backup-failing.short': 'No backup',
  'warning.backup-failing.title': 'The last backup could not be made.',
  'warning.backup-failing.last': 'The last good one is from {at}.',
  'warning.backup-failing.none': 'There is no good one yet.',
  'warning.backup-failing.means': 'You can go on selling. Tell a manager: the disk may be full.',
  'warning.report-slow.short': 'Slow answers',
  'warning.report-slow.title': 'A report has waited more than 30 seconds for its answer.',
  'warning.report-slow.means': 'It is saved on this computer and is checked or sent again. You can keep selling.',
  'warning.sending-stuck.short': 'Sending is stuck',
  'warning.sending-stuck.title': 'A report has been on its way for more than 2 minutes.',
  'warning.sending-stuck.means':
    'It is saved on this computer. You can keep selling. If this warning stays, quit Countertag and open it again.',
  'warning.no-token.short': 'Sign-in not working',
  'warning.no-token.title': 'The service has not let this station sign in for more than 30 seconds.',
  'warning.no-token.means':
    'Its sign-in server gives no usable answer. Reports wait safely on this computer. If this warning stays, contact the service’s support.',
  'warning.service-clock-wrong.short': 'Service’s clock is wrong',
  'warning.service-clock-wrong.title': 'The service’s clock is wrong.',
  'warning.service-clock-wrong.means':
    'It can’t be read, or is more than a day away from this computer’s clock. It isn’t used for the times of sales. Check the date of this computer.',
}
