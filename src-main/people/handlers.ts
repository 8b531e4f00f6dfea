import { ok } from '../../src-shared/result'
import { qrCode } from '../core/qr-code'
import type { HandlersOf } from '../ipc/handlers'
import { hashPin } from '../security/pin'
import { type People, newBadge } from './people'
import type { Rules } from './rules'
import type { SignIn } from './sign-in'

/** Calls about people and who is signed in. */
export const peopleHandlers = (people: People, signIn: SignIn, rules: Rules): HandlersOf<'people'> => ({
  'people.view': () => ok({ people: people.view(), signedIn: signIn.current(), rules: rules.view() }),
  'people.save': ({ id, person }) => people.save(id, person),
  'people.setPin': async ({ id, pin }) => {
    const opened = await people.openSecrets()
    return opened.ok ? people.setPin(id, pin === null ? null : await hashPin(pin)) : opened
  },
  'people.setBadge': async ({ id, code }) => {
    const opened = await people.openSecrets()
    return opened.ok ? people.setBadge(id, code) : opened
  },
  'people.printBadge': async ({ id }) => {
    const opened = await people.openSecrets()
    if (!opened.ok) return opened
    const text = newBadge()
    const given = people.setBadge(id, text)
    // Paper gets dirty and bent.
    return given.ok ? ok({ person: given.value, svg: await qrCode(text, 'M') }) : given
  },
  'people.remove': ({ id }) => people.remove(id),
  'people.restore': ({ id }) => people.restore(id),
  'people.signIn': ({ shown }) => signIn.by(shown),
  'people.changePin': async ({ shown, pin }) => signIn.changePin(shown, await hashPin(pin)),
  'people.signOut': () => {
    signIn.out()
    return ok(null)
  },
  'people.setRules': (next) => rules.set(next),
})
