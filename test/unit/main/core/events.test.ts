import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { MainEvents } from '../../../../src-main/core/events'
import { createEvents } from '../../../../src-main/ipc/handlers'
import { eventsOf } from '../../../fakes/events'

describe('the events of main', () => {
  it('reach pages first, then each listener in the order in which they began to listen', () => {
    const heard: string[] = []
    const pages = createEvents()
    const events = new MainEvents({ inTransaction: false }, pages, { error: () => undefined })
    events.on('checkout.storeDayChanged', 'one', () => heard.push('one'))
    const stop = events.on('checkout.storeDayChanged', 'two', () => heard.push('two'))
    pages.listen((name) => heard.push(name))
    events.on('checkout.storeDayChanged', 'three', () => heard.push('three'))
    events.emit('checkout.storeDayChanged', null)
    expect(heard).toEqual(['checkout.storeDayChanged', 'one', 'two', 'three'])
    expect(events.table()).toEqual({ 'checkout.storeDayChanged': ['one', 'two', 'three'] })
    stop()
    events.emit('checkout.storeDayChanged', null)
    expect(heard.slice(4)).toEqual(['checkout.storeDayChanged', 'one', 'three'])
  })

  it('reach the others if one listener fails, which is logged with its name', () => {
    const logged: unknown[] = []
    const cause = new Error('no')
    const events = eventsOf(undefined, { error: (...all) => logged.push(all) })
    let heard = 0
    events.on('checkout.storeDayChanged', 'one', () => {
      throw cause
    })
    events.on('checkout.storeDayChanged', 'two', () => heard++)
    events.emit('checkout.storeDayChanged', null)
    expect([heard, logged]).toEqual([
      1,
      [['a listener failed', { event: 'checkout.storeDayChanged', who: 'one', cause }]],
    ])
  })

  it('are never told inside a transaction, which may be rolled back', () => {
    const db = new Sqlite(':memory:')
    const events = eventsOf(db)
    let heard = 0
    events.on('checkout.storeDayChanged', 'one', () => heard++)
    const tell = () => {
      events.emit('checkout.storeDayChanged', null)
    }
    expect(() => {
      db.transaction(tell)()
    }).toThrow('checkout.storeDayChanged was emitted inside a transaction')
    expect(heard).toBe(0)
    tell()
    expect(heard).toBe(1)
    db.close()
  })
})
