import { describe, expect, it } from 'vitest'
import { keychainErrorOf } from '../../../../src-main/credentials/os-keychain'

describe('error texts of the keychain library', () => {
  it.each([
    // Observed on Linux.
    [
      'Platform failure: DBus error: Using X11 for dbus-daemon autolaunch was disabled at compile time, set your DBUS_SESSION_BUS_ADDRESS instead',
      'missing',
    ],
    [
      'Platform failure: DBus error: Failed to connect to socket /run/user/1000/bus: No such file or directory',
      'missing',
    ],
    [
      'Platform failure: DBus error: The name org.freedesktop.secrets was not provided by any .service files',
      'missing',
    ],
    ['Platform failure: DBus error: Could not parse server address: Unknown address type', 'missing'],
    ["Couldn't access platform storage: Secret Service: no result found", 'missing'],
    ["Couldn't access platform storage: Secret Service: unlock prompt was dismissed", 'denied'],
    // From the library's source.
    ['No DBus session or Secret Service provider found', 'missing'],
    ["Couldn't access platform storage: Secret Service: object locked", 'locked'],
    ['Platform failure: DBus error: Did not receive a reply. Possible causes include: …', 'failing'],
    ['Windows ERROR_NO_SUCH_LOGON_SESSION', 'missing'],
    // The wording of macOS.
    ['Platform failure: User interaction is not allowed.', 'locked'],
    ['Platform failure: User canceled the operation.', 'denied'],
    ['Platform failure: The user name or passphrase you entered is not correct.', 'denied'],
    ['Platform failure: A default keychain could not be found.', 'missing'],
    ['Mutex failure in credential store: please report a bug', 'failing'],
    ['', 'failing'],
  ])('%j is %s', (text, code) => {
    expect(keychainErrorOf(new Error(text))).toEqual({ code: `keychain/${code}` })
  })

  it('may be thrown as something other than an Error', () => {
    for (const thrown of [null, undefined, 7, {}, 'object locked']) {
      expect(keychainErrorOf(thrown).code).toBe(thrown === 'object locked' ? 'keychain/locked' : 'keychain/failing')
    }
  })
})
