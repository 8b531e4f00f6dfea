import { describe, expect, it, vi } from 'vitest'
import { createDispatch } from '../../../../src-main/ipc/dispatch'
import type { Handlers } from '../../../../src-main/ipc/handlers'
import { silentLog } from '../../../../src-main/core/log'
import { noteCommit, saved } from '../../../../src-main/database/saved'
import { openStore } from '../../../../src-main/database/open'
import { createSettings } from '../../../../src-main/database/settings'
import { ok } from '../../../../src-shared/result'

/** A call over a real store; the test supplies the handler. */
function callWith(handler: (save: () => void) => ReturnType<Handlers['outbox.sendNow']>) {
  const store = openStore(':memory:')
  const settings = createSettings(store.db, silentLog)
  const save = () => {
    saved(() => {
      settings.write('done', true)
      return ok(null)
    })
  }
  const error = vi.fn()
  const dispatch = createDispatch({
    station: { handlers: { 'outbox.sendNow': () => handler(save) }, log: { ...silentLog, error } },
    isTrusted: () => true,
  })
  return { call: () => dispatch('page', 'outbox.sendNow', undefined), error }
}

const broken = (): never => {
  throw new Error('after it')
}

describe('a call that fails', () => {
  it('before anything is saved is reported as not done', async () => {
    const { call } = callWith(broken)
    expect(await call()).toMatchObject({ ok: false, error: { code: 'app/unexpected' } })
  })

  it('after its commit is reported as saved, with a reference to the log', async () => {
    const { call, error } = callWith((save) => {
      save()
      return broken()
    })
    const answer = await call()
    expect(answer).toMatchObject({ ok: false, error: { code: 'app/saved-unseen' } })
    const reference = answer.ok || answer.error.code !== 'app/saved-unseen' ? '' : answer.error.reference
    expect(error).toHaveBeenCalledWith('a call failed', expect.objectContaining({ reference, isSaved: true }))
  })

  it('after its commit and an await is reported as saved too', async () => {
    const { call } = callWith(async (save) => {
      await Promise.resolve()
      save()
      await new Promise((resolve) => setTimeout(resolve, 1))
      return broken()
    })
    expect(await call()).toMatchObject({ error: { code: 'app/saved-unseen' } })
  })

  it('inside its own change, after the commit, is reported as saved, not as refused by the disk', async () => {
    const { call } = callWith(() =>
      saved(() => {
        noteCommit()
        throw Object.assign(new Error('no space left'), { code: 'ENOSPC', syscall: 'write' })
      }),
    )
    expect(await call()).toMatchObject({ error: { code: 'app/saved-unseen' } })
  })

  it('while another call commits is reported as not done', async () => {
    let go: (() => void) | undefined
    const waiting = new Promise<void>((resolve) => (go = resolve))
    const failing = callWith(async () => {
      await waiting
      return broken()
    })
    const other = callWith((save) => {
      save()
      return ok(null)
    })
    const answer = failing.call()
    expect(await other.call()).toMatchObject({ ok: true })
    go?.()
    expect(await answer).toMatchObject({ error: { code: 'app/unexpected' } })
  })
})
