import { z } from 'zod'
import { plainName } from './names'

/** What a person does in the store. `lead` approves what a gate asks; `manager` also has settings, people and exports. */
export const Role = z.enum(['clerk', 'counter', 'lead', 'manager'])
export type Role = z.infer<typeof Role>

export const Permission = z.enum(['receive', 'count', 'sell', 'return', 'approve', 'settings'])
export type Permission = z.infer<typeof Permission>

const permissions: Record<Role, readonly Permission[]> = {
  clerk: ['receive', 'count'],
  counter: ['sell', 'return'],
  lead: ['receive', 'count', 'sell', 'return', 'approve'],
  manager: Permission.options,
}

/** Whether a role has a permission. */
export const may = (role: Role, permission: Permission): boolean => permissions[role].includes(permission)

export const PersonId = z.uuid().brand<'PersonId'>()
export type PersonId = z.infer<typeof PersonId>

/** Two to four letters or digits: with the PIN they sign in, and orders have them as budtender. Capitals, whatever was typed. */
export const ShortName = z
  .string()
  .normalize('NFC')
  .trim()
  .toUpperCase()
  .regex(/^[\p{Lu}\p{Lo}\p{Nd}]{2,4}$/u)

export const longestPersonName = 60
export const PersonForm = z.object({ name: plainName(longestPersonName), shortName: ShortName, role: Role })
export type PersonForm = z.infer<typeof PersonForm>

/** A person as screens show them: that there is a PIN or a badge, never which. */
export const PersonView = z.object({
  ...{ id: PersonId, name: z.string(), shortName: z.string(), role: Role },
  hasPin: z.boolean(),
  hasBadge: z.boolean(),
  /** IT's policy says the role. */
  isRoleFixed: z.boolean(),
})
export type PersonView = z.infer<typeof PersonView>

/** Who is signed in. */
export const SignedIn = PersonView.pick({ id: true, name: true, shortName: true, role: true })
export type SignedIn = z.infer<typeof SignedIn>

/** A badge that Countertag prints: no other code looks like it, and scanners in the wrong case read it too. */
const printed = /^CTB:[A-Z]{16}$/
export const isPrintedBadge = (text: string): boolean => printed.test(text.toUpperCase())

/** A code as a badge: as it is printed, in any case. */
export const BadgeCode = z.string().trim().min(4).max(100)

/**
 * `demand`: whether names are noted when someone is signed in, or completing and other ends want a name and a role. `minutes`: after
 * so long without a step the person is signed out; `staysAtCounter`: not on the screen that sells.
 */
export const PeopleRules = z.object({
  demand: z.enum(['names', 'required']).default('names'),
  minutes: z.number().int().min(1).max(240).default(5),
  staysAtCounter: z.boolean().default(false),
})
export type PeopleRules = z.infer<typeof PeopleRules>

export const ShownPin = z.object({ shortName: ShortName, pin: z.string().trim().max(20) })
export type ShownPin = z.infer<typeof ShownPin>

/** How a person shows who they are: by short name and PIN, or by the proof that came with the scan of their badge. */
export const Shown = z.union([ShownPin, z.object({ proof: z.uuid() })])
export type Shown = z.infer<typeof Shown>
