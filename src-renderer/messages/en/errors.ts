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

  'error.app/reopened.what': 'Countertag was changing to another connection.',
  'error.app/reopened.means': 'This step was not done in either of them. Nothing was saved.',
  'error.app/reopened.next': 'Look which store is shown at the top, then do it again if it belongs there.',

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

  'error.app/saved-unseen.what': 'It is done and saved, but it can’t be shown here.',
  'error.app/saved-unseen.means': 'Do not do it a second time. The Outbox and Orders show it.',
  'error.app/saved-unseen.next': 'Tell support this reference: {reference}.',
  'error.service/unproven.what': 'The answer doesn’t show whether the service took it.',
  'error.service/unproven.means': 'Status {status}{said, select, none {} other {: “{said}”}}',
  'error.service/unproven.next': 'We check with the service before sending it again.',
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

  'error.store/not-saved.what': 'This computer could not save it.',
  'error.store/not-saved.means': 'Nothing was saved and nothing was sent. The disk may be full.',
  'error.store/not-saved.next': 'Call a manager before you go on.',

  'error.store/in-use.what': 'Countertag is already open.',
  'error.store/in-use.means': 'Only one Countertag can work with the same data.',
  'error.store/in-use.next': 'Use the other window, or close it first.',
} satisfies Partial<Record<ErrorKey, string>>
