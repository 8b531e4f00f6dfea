import type { Database } from 'better-sqlite3'
import type { Log } from '../../core/log'
import type { Hub, HubLists, ListEntry } from '../port'
import type { ListTables } from './list-rows'

/** What was entered or undone elsewhere; `station` is null for this one. */
export type MergedEntry<Key> = Omit<ListEntry<Key>, 'isOthers'> & { station: string | null }

/** A list as this station has it. `ended`: what the others should know of its end. */
interface ListHead<Id> {
  id: Id
  isFinished: boolean
  ended?: string | null
  /** As in `HubLists.finish`. */
  isRecount?: boolean
}

/** What is taken over of a list; `ended` as the station told it that finished the list. */
export interface MergedNews<Key> {
  entries: MergedEntry<Key>[]
  isFinished: boolean
  ended: string | null
}

export interface SharedListsParts<Id extends string, Key extends string> {
  db: Database
  tables: ListTables
  /** Undefined for what is none. */
  readKey: (text: string) => Key | undefined
  hub: Pick<Hub, 'epoch' | 'stationId' | 'view' | 'onNews' | 'onSituation'>
  lists: HubLists<Id, Key>
  /** The lists of this station. */
  own: {
    head: (seq: number) => ListHead<Id> | undefined
    /** Shares a list that the hub doesn't know, as it is. Returns false without an answer. */
    put: (seq: number, epoch: number, isFinished: boolean) => Promise<boolean>
    /** An entry as it is here; undefined if it is gone. `station`: the other one that made it. */
    entry: (seq: number, key: Key) => { at: number; value: string | null; station: string | null } | undefined
    /** The keys of this station's own entries. */
    entered: (seq: number) => Key[]
    /**
     * Takes over what other stations did. `isOwn`: what this station has not pushed yet, which counts. Returns how to tell the
     * screens once that is committed. Throws when the disk refuses; `reread` is called if it is not saved.
     */
    merge: (seq: number, news: MergedNews<Key>, isOwn: (key: Key) => boolean) => () => void
    reread: () => void
    /** The list became a part of another one. */
    follow: (seq: number, into: Id) => void
  }
  /** Reads which lists of other stations are open. */
  readOpen: () => Promise<void>
  log: Log
}
