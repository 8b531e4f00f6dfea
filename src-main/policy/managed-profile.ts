import { type ProfileForm, type ProfileId, practiceId } from '../../src-shared/ipc/contract/station'
import { isOtherService } from '../station/profiles'
import type { StationFile, StationSettings } from '../station/station-file'
import type { Policy } from './policy'

type Kept = StationSettings['profiles'][number]

/**
 * Keeps the policy's connection among the station's, marked as managed: it has a data folder like any other, and a till
 * keeps using it if the policy is removed. Reports must only go to the service they were made for, so a policy that names
 * another service gets a new connection, and the previous one becomes an ordinary one. Throws if the disk refuses. `newId`: an
 * unused folder name for a connection of that name.
 */
export function keepManagedProfile(
  file: StationFile,
  policy: Policy | undefined,
  newId: (name: string) => ProfileId,
): void {
  const before = file.read()
  const form = policy?.profile
  const kept =
    form &&
    (before.profiles.find((one) => one.isManaged === true && isSame(one, form)) ??
      before.profiles.find((one) => isSame(one, form)))
  const id = kept?.id ?? (form && newId(form.name))
  const profiles = before.profiles.map((one) => managed(one, form, one.id === id))
  const all = form && id !== undefined && !kept ? [...profiles, { id, profile: form, isManaged: true }] : profiles
  const next = { ...before, profiles: all, ...activeOf(before, policy, id) }
  if (JSON.stringify(next) !== JSON.stringify(before)) file.change(() => next)
}

const isSame = ({ profile }: Kept, form: ProfileForm) => profile.kind === form.kind && !isOtherService(profile, form)

function managed({ isManaged: _before, ...one }: Kept, form: ProfileForm | undefined, isManaged: boolean): Kept {
  return isManaged && form ? { ...one, profile: { ...one.profile, ...form }, isManaged } : one
}

/** The connection to use: the policy's connection at the first start, and instead of one that is no longer allowed. */
function activeOf(
  before: StationSettings,
  policy: Policy | undefined,
  id: ProfileId | undefined,
): Partial<StationSettings> {
  if (!policy || id === undefined) return {}
  const { active, profiles, isWelcomed } = before
  const isFirstStart = !isWelcomed && profiles.length === 0
  const wasManaged = profiles.some((one) => one.id === active && one.isManaged === true)
  const isAllowed = active === practiceId ? policy.allowPractice !== false : policy.allowOtherConnections !== false
  return isFirstStart || wasManaged || !isAllowed ? { active: id, isWelcomed: true } : {}
}
