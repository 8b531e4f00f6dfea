import type { Thing, ThingKind } from '../../src-shared/ipc/find-view'

/** What the joins make of the service's answers: a view without what only the station knows. */
export type Body<Kind extends ThingKind> = Omit<Thing<Kind>, Meta>
export type AnyBody = { [Kind in ThingKind]: Body<Kind> }[ThingKind]

type Meta = 'knowledge' | 'silence' | 'gaps' | 'operations'
