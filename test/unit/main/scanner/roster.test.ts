import { describe, expect, it } from 'vitest'
import { type Candidate, Roster } from '../../../../src-main/scanner/roster'

const at = (path: string, serial: string | null = null): Candidate => ({
  path,
  vendorId: 0x0c2e,
  productId: 0x0b8f,
  serial,
  name: 'Voyager',
})

describe('the roster of scanners', () => {
  it('recognizes a scanner by its path, but not if the serial number differs', () => {
    const roster = new Roster()
    const first = roster.entryFor(at('a', '1'), [at('a', '1')])
    expect(roster.entryFor(at('a', '1'), [at('a', '1')])).toBe(first)
    expect(roster.entryFor(at('a', '2'), [at('a', '2')])).not.toBe(first)
    expect(roster.missingFrom([at('a', '2')])).toEqual([first])
  })

  it('gives a lost scanner its entry back on another path, but never the entry of one that is still listed', () => {
    const roster = new Roster()
    const listed = [at('a'), at('b')]
    const lost = { state: 'failed', problem: 'scanner/lost' } as const
    const first = Object.assign(roster.entryFor(at('a'), listed), lost)
    const second = roster.entryFor(at('b'), listed)
    expect(second).not.toBe(first)
    expect(roster.entryFor(at('c'), [at('b'), at('c')])).toBe(first)
    expect(first.candidate.path).toBe('c')
    expect(roster.view().map(({ id }) => id)).toEqual(['hid-1', 'hid-2'])
  })
})
