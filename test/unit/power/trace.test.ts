import { describe, expect, it } from 'vitest'
import { hexOf, readTrace } from '../../power/trace'

const folder = '/data'
const text = (value: string) => `"${hexOf(value)}"`
const file = (number: number, name: string) => `${number}<${hexOf(`${folder}/${name}`)}>`
const read = (...lines: string[]) =>
  readTrace({ log: lines.map((line) => `${line}\n`).join(''), folder, isFollowed: (path) => path.startsWith(folder) })

describe('reading a trace', () => {
  it('reads writes, syncs and name changes in order', () => {
    const [at, name] = [`AT_FDCWD<${hexOf('/')}>`, `${folder}/a`]
    const changes = read(
      `7  openat(${at}, ${text(name)}, O_WRONLY|O_CREAT|O_TRUNC|O_CLOEXEC, 0666) = ${file(5, 'a')}`,
      `7  write(${file(5, 'a')}, ${text('ab')}, 2) = 2`,
      `7  write(${file(5, 'a')}, ${text('c')}, 1) = 1`,
      `7  pwrite64(${file(5, 'a')}, ${text('x')}, 1, 512) = 1`,
      `7  ftruncate(${file(5, 'a')}, 3) = 0`,
      `7  fdatasync(${file(5, 'a')}) = 0`,
      `7  rename(${text(name)}, ${text(`${folder}/b`)}) = 0`,
      `7  unlink(${text(`${folder}/b`)}) = 0`,
    )
    expect(changes).toEqual([
      { kind: 'open', path: name, creates: true, empties: true },
      { kind: 'write', path: name, offset: 0, bytes: Buffer.from('ab') },
      { kind: 'write', path: name, offset: 2, bytes: Buffer.from('c') },
      { kind: 'write', path: name, offset: 512, bytes: Buffer.from('x') },
      { kind: 'resize', path: name, size: 3 },
      { kind: 'sync', path: name, from: 5 },
      { kind: 'rename', path: name, to: `${folder}/b` },
      { kind: 'remove', path: `${folder}/b` },
    ])
  })

  it('says what was written before a sync began, even if another thread wrote meanwhile', () => {
    const changes = read(
      `7  pwrite64(${file(5, 'a')}, ${text('x')}, 1, 0) = 1`,
      `8  fsync(${file(5, 'a')} <unfinished ...>`,
      `7  pwrite64(${file(5, 'a')}, ${text('y')}, 1, 1 <unfinished ...>`,
      `7  <... pwrite64 resumed>) = 1`,
      `8  <... fsync resumed>) = 0`,
    )
    expect(changes.map(({ kind }) => kind)).toEqual(['write', 'write', 'sync'])
    expect(changes[2]).toEqual({ kind: 'sync', path: `${folder}/a`, from: 1 })
  })

  it('leaves out failed calls and calls on other files', () => {
    const other = `5<${hexOf('/elsewhere/a')}>`
    expect(
      read(
        `7  unlink(${text(`${folder}/a`)}) = -1 ENOENT (No such file or directory)`,
        `7  pwrite64(${other}, ${text('x')}, 1, 0) = 1`,
        `7  mmap(NULL, 32768, PROT_READ|PROT_WRITE, MAP_SHARED, ${other}, 0) = 0x7f0000000000`,
        '7  +++ exited with 0 +++',
      ),
    ).toEqual([])
  })

  it.each([
    [
      'writes through memory',
      `mmap(NULL, 32768, PROT_READ|PROT_WRITE, MAP_SHARED, ${file(5, 'a')}, 0) = 0x7f0000000000`,
    ],
    ['a call that it does not know', `fallocate(${file(5, 'a')}, 0, 0, 4096) = 0`],
    ['a write that took a part of the bytes', `pwrite64(${file(5, 'a')}, ${text('xy')}, 2, 0) = 1`],
    ['bytes that the tracer cut off', `pwrite64(${file(5, 'a')}, ${text('x')}..., 9000, 0) = 9000`],
    ['a write whose place in the file it has not seen', `write(${file(9, 'a')}, ${text('x')}, 1) = 1`],
    ['a line of another form', `pwrite64(${file(5, 'a')}, ${text('x')}, 1, 0`],
  ])('refuses %s', (_, call) => {
    expect(() => read(`7  ${call}`)).toThrow(/model doesn't know|not understood/)
  })
})
