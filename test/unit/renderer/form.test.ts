import { describe, expect, it } from 'vitest'
import type { AppError } from '../../../src-shared/errors'
import { type Result, err, ok } from '../../../src-shared/result'
import { Form, Saving } from '../../../src-renderer/ui/form.svelte'

const notSaved: AppError = { code: 'store/not-saved' }

/** A form with two fields. The first must not be empty. The test ends each save. */
function open(stored?: Result<{ name: string; place: string }, AppError>) {
  const saves: { values: unknown; end: (error: AppError | null) => void }[] = []
  const form = new Form({
    empty: { name: '', place: '' },
    check: ({ name }) => (name === '' ? { name: { key: 'label.required' } } : {}),
    save: (values) => new Promise((resolve) => saves.push({ values, end: resolve })),
    ...(stored && { load: () => Promise.resolve(stored) }),
  })
  const type = (name: string, place = '') => {
    Object.assign(form.values, { name, place })
    form.typed('name')
  }
  return { form, saves, type }
}

describe('a form', () => {
  it('shows the stored values, and keeps typed values that are not saved', async () => {
    const { form, type } = open(ok({ name: 'stored', place: 'here' }))
    expect(form.isLoaded).toBe(false)
    await form.load()
    expect({ ...form.values, isLoaded: form.isLoaded }).toEqual({ name: 'stored', place: 'here', isLoaded: true })
    type('typed')
    await form.load()
    expect(form.values.name).toBe('typed')
  })

  it('saves nothing before the stored values are loaded, and shows why loading failed', async () => {
    const { form, saves, type } = open(err(notSaved))
    await form.load()
    type('typed')
    expect(await form.save()).toBe(false)
    expect(form).toMatchObject({ error: notSaved, isLoaded: false })
    expect(saves).toEqual([])
  })

  it('checks and saves values without surrounding spaces, and shows that it is saved until a key is typed', async () => {
    const { form, saves, type } = open()
    type(' a ', 'b ')
    const saving = form.save()
    expect(form.isSaving).toBe(true)
    expect(saves[0]?.values).toEqual({ name: 'a', place: 'b' })
    saves[0]?.end(null)
    expect(await saving).toBe(true)
    expect(form).toMatchObject({ isSaving: false, isSaved: true, values: { name: 'a', place: 'b' } })
    form.typed('place')
    expect(form.isSaved).toBe(false)
    form.show({ name: 'stored', place: '' })
    expect(form.values.name).toBe('a')
  })

  it('saves nothing that can’t be used, and shows the fault until the field is typed again', async () => {
    const { form, saves, type } = open()
    type('  ')
    expect(await form.save()).toBe(false)
    expect(form.faults.name?.key).toBe('label.required')
    expect(saves).toEqual([])
    form.typed('name')
    expect(form.faults.name).toBeUndefined()
  })

  it('saves once, however often a save is requested', async () => {
    const { form, saves, type } = open()
    type('a')
    const saving = form.save()
    expect(await form.save()).toBe(false)
    saves[0]?.end(null)
    await saving
    expect(saves).toHaveLength(1)
  })

  it('keeps what was typed when it can’t be saved', async () => {
    const { form, saves, type } = open()
    type('a')
    const saving = form.save()
    saves[0]?.end(notSaved)
    expect(await saving).toBe(false)
    expect(form).toMatchObject({ error: notSaved, isSaved: false, values: { name: 'a' } })
  })

  it('does not show text typed during a save as saved', async () => {
    const { form, saves, type } = open()
    type('a')
    const saving = form.save()
    type('ab')
    saves[0]?.end(null)
    expect(await saving).toBe(false)
    expect(form).toMatchObject({ error: null, isSaved: false, values: { name: 'ab' } })
  })

  it('goes back to empty fields without faults', async () => {
    const { form, type } = open()
    type('', 'b')
    await form.save()
    form.clear()
    expect(form).toMatchObject({ values: { name: '', place: '' }, faults: {}, error: null })
    form.show({ name: 'stored', place: '' })
    expect(form.values.name).toBe('stored')
  })
})

describe('a change that is saved at once', () => {
  it('is busy, then saved or refused, with the reason shown until the next save', async () => {
    const saving = new Saving()
    const refused = saving.run(() => Promise.resolve(notSaved))
    expect(saving.isSaving).toBe(true)
    expect(await refused).toBe(false)
    expect(saving).toMatchObject({ isSaving: false, isSaved: false, error: notSaved })
    expect(await saving.run(() => Promise.resolve(null))).toBe(true)
    expect(saving).toMatchObject({ isSaved: true, error: null })
  })
})
