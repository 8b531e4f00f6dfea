import type { ErrorKey } from '../errors'

/** Failures of the keychain, of profiles and of the lock. */
export const errorsStation = {
  'error.keychain/missing.what': 'This computer has no keychain that Countertag can use.',
  'error.keychain/missing.means':
    'Client id and secret are kept in memory and are gone when Countertag closes. No sale is lost.',
  'error.keychain/missing.next': 'On Linux, install gnome-keyring and sign in to the desktop; then enter them again.',

  'error.keychain/locked.what': 'The keychain of this computer is locked.',
  'error.keychain/locked.means': 'Nothing can be sent until it is open. Sales are saved and wait.',
  'error.keychain/locked.next': 'Unlock the keychain: sign in to this computer again, then test the connection.',

  'error.keychain/denied.what': 'The keychain did not let Countertag in.',
  'error.keychain/denied.means':
    'Somebody refused the question of the keychain, or a rule forbids it. Sales are saved and wait.',
  'error.keychain/denied.next': 'Test the connection and allow Countertag when the keychain asks.',

  'error.keychain/failing.what': 'The keychain of this computer gave no answer that can be used.',
  'error.keychain/failing.means': "What it holds for Countertag can't be read now. Sales are saved and wait.",
  'error.keychain/failing.next': 'Test the connection again. If it stays so, enter client id and secret anew.',

  'error.keychain/vanished.what': 'What Countertag kept in the keychain is gone.',
  'error.keychain/vanished.means':
    'Somebody removed the entry, or this is another user of the computer. Sales are saved and wait.',
  'error.keychain/vanished.next': 'Enter client id and secret again in Settings > Connections.',

  'error.keychain/mismatch.what': 'The client id and secret that are kept are not those of this connection.',
  'error.keychain/mismatch.means':
    'They were entered for another address, or others were entered since. They are sent nowhere. Sales are saved and wait.',
  'error.keychain/mismatch.next':
    'Look at the addresses in Settings > Connections, then enter client id and secret again.',

  'error.outbox/customer-lost.what': "The customer of this report can't be read any more.",
  'error.outbox/customer-lost.means':
    'The key to it is not in the keychain of this computer. The report was not sent, so that it does not go out without its customer unnoticed.',
  'error.outbox/customer-lost.next':
    'Send it again to report it without the customer, or dismiss it. If the data came from another computer, its key is in the keychain there.',

  'error.service/not-trusted.what':
    '{reason, select, issuer {The certificate of the service is of an issuer that this computer does not know.} name {The certificate is for another address than that of the service.} date {The certificate of the service is not valid today.} other {The certificate of the service is not valid.}}',
  'error.service/not-trusted.means': 'Nothing was sent, so that nobody can listen in. Sales are saved and wait.',
  'error.service/not-trusted.next':
    '{reason, select, issuer {If your company checks its traffic, ask for the file with its certificate and name it in the connection.} name {Check the address in the connection.} date {Check date and time of this computer; if they are right, tell the service.} other {Tell whoever looks after your network.}}',

  'error.profile/other-kind.what': 'A test connection stays one, and so does a production connection.',
  'error.profile/other-kind.means': 'Nothing was changed: reports that wait here are for that service.',
  'error.profile/other-kind.next': 'Add a new connection.',

  'error.profile/unknown.what': 'There is no such connection any more.',
  'error.profile/unknown.means': 'Nothing was changed.',
  'error.profile/unknown.next': 'Look at the list of connections again.',

  'error.profile/active.what': 'This connection is in use.',
  'error.profile/active.means': 'Nothing was changed.',
  'error.profile/active.next': 'Switch to another connection before you remove this one.',

  'error.profile/unsent.what':
    '{count, plural, one {One report of this connection is not done.} other {# reports of this connection are not done.}}',
  'error.profile/unsent.means':
    'They are for the service and the dispensary that it names now: they must not go to others, and they must not be left behind. Nothing was changed.',
  'error.profile/unsent.next':
    'Use this connection, let them be sent, and deal with those that were refused in Outbox. For another address or another dispensary, add a new connection.',

  'error.profile/other-account.what':
    '{count, plural, one {This is another client id, and one report waits that was made under the one before.} other {This is another client id, and # reports wait that were made under the one before.}}',
  'error.profile/other-account.means':
    'If it is of another store, they would go out as the sales of that store. None was sent.',
  'error.profile/other-account.next':
    'Of another store: add a new connection for it. Of this store, because the service gave it a new one: save it as such.',

  'error.profile/unreadable-data.what': "The data of this connection can't be read now.",
  'error.profile/unreadable-data.means':
    'Reports may wait in it that must not go to another address. Nothing was changed.',
  'error.profile/unreadable-data.next': 'Add a new connection for the other address.',

  'error.profile/not-opened.what': "The data of that connection can't be opened.",
  'error.profile/not-opened.means': 'The connection before it stays in use. Nothing was changed.',
  'error.profile/not-opened.next':
    'Restart Countertag and try again. If it stays so, save a file for support in Settings.',

  'error.profile/no-ca-file.what': "The certificate file can't be read: {path}",
  'error.profile/no-ca-file.means': 'Nothing was changed.',
  'error.profile/no-ca-file.next': 'Check the path, and that this user may read the file.',

  'error.security/locked.what': "This needs a manager's PIN.",
  'error.security/locked.means': 'Nothing was changed. Scanning and selling go on as always.',
  'error.security/locked.next': 'Unlock with the PIN, then try again.',

  'error.security/wrong-pin.what': 'That is not the PIN.',
  'error.security/wrong-pin.means': 'Nothing was unlocked.',
  'error.security/wrong-pin.next':
    '{seconds, plural, =0 {Try again.} one {Try again in one second.} other {Try again in # seconds.}}',

  'error.security/pin-required.what': "This needs a manager's PIN, and none is set yet.",
  'error.security/pin-required.means': 'Your IT department requires one. Nothing was changed.',
  'error.security/pin-required.next': "Set it in Settings > Manager's PIN.",

  'error.policy/fixed.what': 'Your IT department has set this.',
  'error.policy/fixed.means': 'Nothing was changed.',
  'error.policy/fixed.next': 'Ask them to change it.',

  'error.security/no-pin.what': 'No PIN was set on this station.',
  'error.security/no-pin.means': 'Nothing is locked.',
  'error.security/no-pin.next': 'Set one in Settings if settings and exports are to be protected.',

  'error.ipc/too-many.what': 'Too many requests at once.',
  'error.ipc/too-many.means': 'This one was not carried out, nothing was changed.',
  'error.ipc/too-many.next': 'Wait a moment and try again.',

  'error.ipc/too-large.what': 'That is too much at once.',
  'error.ipc/too-large.means': 'It was not carried out, nothing was changed.',
  'error.ipc/too-large.next': 'Try it with less, in several parts.',
} satisfies Partial<Record<ErrorKey, string>>
