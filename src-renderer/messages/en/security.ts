/** The manager's PIN: loaded after the start. */
export const security = {
  'security.title': "Manager's PIN",
  'security.how':
    'Stands before settings, dismissing refused reports and exports. Scanning, selling and receiving are never locked.',
  'security.none': 'No PIN: nothing is locked',
  'security.locked': 'Locked',
  'security.open': 'Unlocked',
  'security.pin': 'PIN',
  'security.pin.new': 'New PIN',
  'security.pin.hint': '4 to 12 digits. Nobody can read it back: write it down and keep it safe.',
  'security.pin.again': 'The same PIN again',
  'security.pin.differs': 'The two are not the same. Type both again.',
  'security.auto-lock.minutes': 'Lock by itself after',
  'security.auto-lock.choice': '{minutes, plural, one {one minute} other {# minutes}}',
  'security.fixed': 'Set by your IT department',
  'security.required': 'Your IT department requires a PIN: settings and exports stay locked without one.',
  'security.forgotten':
    'Forgotten? Nobody can read it back: whoever looks after this computer can take it away (docs/operator.md).',
  'security.pin.form': 'A PIN has 4 to 12 digits and nothing else.',
  'security.set': 'Set the PIN',
  'security.change': 'Change the PIN',
  'security.remove': 'Remove the PIN',
  'security.lock': 'Lock now',
  'security.unlock': 'Unlock',
  'security.cancel': 'Leave it locked',
  'security.unlock.title': "Manager's PIN",
  'security.unlock.how': 'This is locked on this station. Nothing was changed yet.',
}
