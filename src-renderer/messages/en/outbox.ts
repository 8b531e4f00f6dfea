export const outbox = {
  'outbox.sentence.unknown':
    '{count, plural, =0 {Nothing waits to be sent.} one {# report waits. The service was not asked yet.} other {# reports wait. The service was not asked yet.}}',
  'outbox.sentence.online':
    '{count, plural, =0 {Nothing waits to be sent. The service answers.} one {The service answers. # report waits to be sent.} other {The service answers. # reports wait to be sent.}}',
  'outbox.sentence.unreachable':
    'No connection to the service. {count, plural, =0 {Nothing waits, and you can go on working.} one {# report is safe here and goes out when it is back.} other {# reports are safe here and go out when it is back.}}',
  'outbox.sentence.failing':
    'The service has trouble of its own. {count, plural, =0 {Nothing waits, and you can go on working.} one {# report is safe here and is tried again.} other {# reports are safe here and are tried again.}}',
  'outbox.sentence.credentials-refused':
    'The service refuses our sign-in. {count, plural, =0 {Nothing waits.} one {# report is safe here until a manager corrects it.} other {# reports are safe here until a manager corrects it.}}',
  'outbox.send-now': 'Send now',
  'outbox.empty': 'Nothing to send',
  'outbox.empty.how': 'Every import, sale, return and void stands here until the service has it.',
  'outbox.attention': '{count, plural, one {# needs attention} other {# need attention}}',
  'outbox.waiting': '{count, plural, one {# waiting} other {# waiting}}',
  'outbox.recent': 'Done lately',
  'outbox.why.waits-for':
    'Behind {count, plural, one {# earlier report} other {# earlier reports}} that it depends on.',
  'outbox.why.next-attempt': 'Next try at {at, time, medium}.',
  'outbox.why.unknown': 'It was sent, but no answer came. We check before sending it again.',
  'outbox.retry-of': 'Try again: {title}',
  'outbox.undo-of': 'Undo: {title}',
  'outbox.dismiss': 'Dismiss',
  'outbox.dismiss-of': 'Dismiss: {title}',
  'outbox.dismiss.title': 'Dismiss this report?',
  'outbox.dismiss.means': 'The service will not get it. Its reason is kept with it.',
  'outbox.dismiss.reason': 'Reason',
  'outbox.dismiss.reason.missing': 'Please say why, so that others understand it later.',
  'outbox.dismiss.keep': 'Keep it',
  'outbox.dismiss.confirm': 'Dismiss it',

  'operation.import': 'Import: {name}',
  'operation.import-removal': 'Import removed: {name}',
  'operation.complete': 'Sale: order {orderId}',
  'operation.void': 'Void: order {orderId}',
  'operation.return': 'Return: order {orderId}',
  'operation.package': 'Package {packageUid}',
  'operation.state.queued': 'Waiting',
  'operation.state.sending': 'Sending',
  'operation.state.unknown': 'No answer yet',
  'operation.state.accepted': 'Reported',
  'operation.state.rejected': 'Refused',
  'operation.state.cancelled': 'Withdrawn',
  'operation.state.dismissed': 'Dismissed: {reason}',
  'operation.note.already-processed': 'Reported, confirmed on a second try',
  'operation.note.replaced': 'Replaced by a corrected one',
  'operation.note.found-by-reading': 'Reported, confirmed by checking',
}
