import { z } from 'zod'
import { TagId } from '../../ids'
import { Matches, RemovedCollectionLine, ThingLink, ThingRef, ThingView } from '../find-view'
import { call, nothing } from './call'

/** What a text means, and all there is to know of it. */
export const findCalls = {
  /** What a scanned or typed text may mean. Asks the service where it can. */
  'find.search': call(z.object({ text: z.string().trim().min(1).max(500) }), Matches),
  /** All there is to know of a thing: asked for now, or what is stored of it, with its age. */
  'find.thing': call(ThingRef, ThingView),
  /** What was looked at lately, newest first; at most 20. */
  'find.recent': call(nothing, z.array(ThingLink).max(20)),
  /** What this station remembers of an item, for a line that must not wait: nobody is asked. Null: it never saw it. */
  'find.known': call(z.object({ tagId: TagId }), ThingLink.nullable()),
  /** Removed collections of the caller's company, of one type or of all. Spec: Collections (v1.5). */
  'find.removed': call(z.object({ type: z.string().trim().min(1).max(50).nullable() }), z.array(RemovedCollectionLine)),
} as const
