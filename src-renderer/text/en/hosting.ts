/** Settings > Store: this computer keeps the store hub. */
export const hosting = {
  'hosting.title': 'This computer keeps the store',
  'hosting.what':
    'For a store without its own server: this computer runs the store hub, and the other stations join it over the local network.',
  'hosting.off-means':
    'When this computer is off or asleep, or Countertag is closed here, the other stations have no store hub: they sell with items marked “Not checked with the other stations”, or refuse items, as chosen there. Leave it on while the store is open.',
  'hosting.begin': 'Keep the store on this computer',
  'hosting.other':
    'This computer keeps the store of another connection. Switch to that connection to change or stop it.',
  'hosting.state.off': 'Off',
  'hosting.state.starting': 'Starting',
  'hosting.state.running': 'Running',
  'hosting.state.failed': 'Not running',
  'hosting.address': 'Address for the other stations',
  'hosting.firewall':
    'If other stations get no answer, let TCP port {port} through this computer’s firewall, from the local network only.',
  'hosting.next': 'Add a station with “Show join code”, above.',
  'hosting.failed':
    '{reason, select, missing {PostgreSQL wasn’t found on this computer.} port {Another program uses this port.} address {This computer no longer has this address.} version {The store hub’s data needs PostgreSQL {detail}.} damaged {The store hub’s data is damaged.} lost {The store hub’s data is missing.} busy {Another PostgreSQL uses the store hub’s data.} full {The disk is full.} permission {The store hub’s data can’t be read or written.} other {PostgreSQL didn’t start.}}',
  'hosting.failed.next':
    '{reason, select, missing {Install PostgreSQL 14 or newer from postgresql.org/download, or name its folder.} port {Choose another port, or close the other program.} address {Reconnect this computer to the network, or choose another address.} version {Install that version of PostgreSQL again.} damaged {Stop keeping the store here, then start again. The stations still have their sales and open orders.} lost {Stop keeping the store here, then start again. The stations still have their sales and open orders.} busy {Countertag tries again automatically. If it takes long, restart this computer.} full {Free some space. Countertag tries again automatically.} permission {Check that this user may write to Countertag’s data folder.} other {Restart this computer. If it happens again, save a file for support.}}',
  'hosting.failed.detail': 'What PostgreSQL said',
  'hosting.renew': 'Change address',
  'hosting.stop': 'Stop keeping the store',
  'hosting.loading': 'Looking for PostgreSQL',

  'hosting.form.renew': 'Change the address',
  'hosting.form.renew.means':
    'The store hub gets a new address and a new certificate. Every other station must scan a new join code; until then it works without the store hub.',
  'hosting.form.address': 'Address of this computer',
  'hosting.form.address.network': 'Network {network}',
  'hosting.form.address.fixed': 'Ask your router to always give this computer the same address.',
  'hosting.form.port.hint': 'Usual: 5433',
  'hosting.form.port.wrong': 'Use a number from 1024 to 65535.',
  'hosting.form.programs.found': 'PostgreSQL {version} found',
  'hosting.form.programs.none': 'PostgreSQL wasn’t found on this computer',
  'hosting.form.programs.where':
    'Install PostgreSQL 14 or newer from postgresql.org/download, then look again. If it is installed, name its folder.',
  'hosting.form.programs.old': 'Found, but too old: {versions}.',
  'hosting.form.folder': 'Folder of PostgreSQL',
  'hosting.form.folder.hint': 'The folder that contains bin',
  'hosting.form.look': 'Look again',
  'hosting.form.start': 'Start',
  'hosting.form.starting': 'Setting up the store hub. This can take a minute.',

  'hosting.stop.title': 'Stop keeping the store?',
  'hosting.stop.means':
    'This station leaves the store, and the store hub ends. Sales and unsent reports stay at each station.',
  'hosting.stop.others':
    '{count, plural, =0 {No other station uses it.} one {One other station uses it and will have no store hub: {names}.} other {# other stations use it and will have no store hub: {names}.}}',
  'hosting.stop.unknown': 'Other stations may use it: they will have no store hub.',
  'hosting.stop.stay': 'Keep it',

  'error.keep/kept.what': 'This computer keeps a store already.',
  'error.keep/kept.next': 'Stop keeping that store first.',
  'error.keep/not-kept.what': 'This computer doesn’t keep the store.',
  'error.keep/not-kept.means': 'Another page may have stopped it.',
  'error.keep/not-kept.next': 'Open Settings again.',
  'error.keep/joined.what': 'This station is in a store.',
  'error.keep/joined.next': 'Leave that store first.',
  'error.keep/other.what': 'This computer keeps the store of another connection.',
  'error.keep/other.next': 'Switch to that connection first.',
  'error.keep/address.what': 'This computer doesn’t have this address.',
  'error.keep/address.next': 'Choose one of the listed addresses.',
} as const
