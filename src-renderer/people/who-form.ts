import type { AppError } from '../../src-shared/errors'
import { Pin } from '../../src-shared/ipc/contract/station'
import { ShortName, type Shown } from '../../src-shared/people'
import { explain } from '../text/errors'
import type { Text } from '../text/text.svelte'
import { type Faults, Form } from '../ui/form.svelte'

/** A refusal in one sentence or two, beside its field. */
export const besideField = (error: AppError): Text => {
  const { what, next } = explain(error)
  return { key: 'people.fault', values: { what, next } }
}

/** Puts a refusal that is about one of the fields beside it; any other stays above the form. */
export function putBeside<Values extends Record<string, string>>(
  form: Form<Values>,
  fields: Partial<Record<AppError['code'], keyof Values>>,
): void {
  const field = form.error && fields[form.error.code]
  if (!form.error || field === undefined || field === null) return
  const faults: Faults<Values> = { ...form.faults, [field]: besideField(form.error) }
  form.faults = faults
  form.error = null
}

export const shortNameFault = (shortName: string): Text | undefined =>
  ShortName.safeParse(shortName).success ? undefined : { key: 'people.short-name.form' }

export const pinFault = (pin: string): Text | undefined =>
  Pin.safeParse(pin).success ? undefined : { key: 'security.pin.form' }

type WhoValues = Record<'shortName' | 'pin', string>

/** Short name and PIN. `storePin`: takes the manager's PIN of the station in place of a person; null if there is none. */
export function createWhoForm(
  signIn: (shown: Shown) => Promise<AppError | null>,
  storePin: ((pin: string) => Promise<AppError | null>) | null,
) {
  return new Form<WhoValues>({
    empty: { shortName: '', pin: '' },
    check: ({ shortName, pin }) => ({
      shortName: shortName === '' && storePin ? undefined : shortNameFault(shortName),
      pin: pinFault(pin),
    }),
    save: ({ shortName, pin }) =>
      shortName === '' && storePin ? storePin(pin) : signIn({ shortName: shortName.toUpperCase(), pin }),
  })
}

/** Where the refusals of signing in stand. */
export const whoFields = {
  'people/wrong-pin': 'pin',
  'people/no-badge': 'shortName',
  'people/not-permitted': 'shortName',
  'security/wrong-pin': 'pin',
  'security/no-pin': 'pin',
} as const
