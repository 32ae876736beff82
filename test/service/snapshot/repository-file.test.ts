import { crc32, deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  readRepositoryFile,
  writeRepositoryFile,
} from '../../../src/service/snapshot/repository-file.ts'
import { parseRoot } from '../../../src/service/snapshot/repository-root.ts'
import { readRecord } from '../../../src/service/snapshot/snapshot-record.ts'
import { encodeUtf8 } from '../../../src/util/bytes.ts'
import { parseJsonTree } from '../../../src/util/json/json-tree.ts'
import { jsonValueOf, writeJson } from '../../../src/util/json/json-writer.ts'

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString()
const tree = (value: unknown): ReturnType<typeof parseJsonTree> =>
  parseJsonTree(encodeUtf8(JSON.stringify(value)))

/** A file with a changed header and the right checksum. */
function forged(change: (bytes: Buffer) => void): Uint8Array {
  const bytes = Buffer.from(writeRepositoryFile('ROOT', { generation: 1, snapshots: [] }, false))
  change(bytes)
  bytes.writeUInt32LE(crc32(bytes.subarray(0, bytes.length - 8)), bytes.length - 8)
  return bytes
}

describe('a file of a repository', () => {
  it('is the example of its header', () => {
    const bytes = writeRepositoryFile('ROOT', {}, false)
    expect(Buffer.from(bytes).toString('hex')).toBe(
      '4c4d4c52524f4f5401000000020000007b7d' + '50daa9b7' + '524c4d4c',
    )
  })

  it('comes back as it was written, deflated or not', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (value, isCompressed) => {
        const json = jsonValueOf(tree({ value }))
        const bytes = writeRepositoryFile('SNAP', json, isCompressed)
        const back = jsonValueOf(readRepositoryFile('f', 'SNAP', bytes))
        expect(text(writeJson(back))).toBe(text(writeJson(json)))
      }),
      { numRuns: 100, seed: 5 },
    )
  })

  it('is refused where any bit of it is another one', () => {
    const bytes = writeRepositoryFile('SNAP', { some: 'body', of: [1, 2, 3] }, true)
    for (let at = 0; at < bytes.length * 8; at++) {
      const flipped = bytes.slice()
      flipped[at >> 3]! ^= 1 << (at & 7)
      expect(() => readRepositoryFile('f', 'SNAP', flipped)).toThrow(/corrupt file|has version/)
    }
    for (let length = 0; length < bytes.length; length++)
      expect(() => readRepositoryFile('f', 'SNAP', bytes.slice(0, length))).toThrow('corrupt file')
  })

  it('is of the second version where a snapshot says in which parts its files are', () => {
    const read = (version: 1 | 2): unknown => {
      const bytes = writeRepositoryFile('SNAP', { some: 'body' }, true, version)
      expect(bytes[8]).toBe(version)
      return jsonValueOf(readRepositoryFile('f', 'SNAP', bytes))
    }
    expect(read(2)).toEqual(read(1))
  })

  it('is refused where a newer release wrote it, or another kind of file', () => {
    expect(() =>
      readRepositoryFile(
        'f',
        'ROOT',
        forged(bytes => bytes.writeUInt16LE(2, 8)),
      ),
    ).toThrow(
      'file [f] has version [2] of format [ROOT], the newest that this build reads is [1]: open it with a newer release',
    )
    expect(() =>
      readRepositoryFile(
        'f',
        'SNAP',
        forged(() => {}),
      ),
    ).toThrow('expected SNAP')
  })

  it('inflates to no more than it says', () => {
    const bomb = deflateRawSync(Buffer.alloc(1 << 24, 0x20))
    const make = (length: number): Uint8Array => {
      const head = Buffer.alloc(16)
      head.write('LMLRSNAP', 'latin1')
      head.writeUInt32LE(1 | (1 << 16), 8)
      head.writeUInt32LE(length, 12)
      const all = Buffer.concat([head, bomb])
      const foot = Buffer.alloc(8)
      foot.writeUInt32LE(crc32(all))
      foot.write('RLML', 4, 'latin1')
      return Buffer.concat([all, foot])
    }
    expect(() => readRepositoryFile('f', 'SNAP', make(1000))).toThrow('a deflated body')
    expect(() => readRepositoryFile('f', 'SNAP', make(2 ** 31))).toThrow('at most 536870912 bytes')
  })
})

describe('a body of a repository', () => {
  it('is refused where it leads out of the folder, or has values of other kinds', () => {
    const entry = {
      name: 's',
      uuid: 'A'.repeat(22),
      state: 'SUCCESS',
      start: 1,
      indices: [],
      data_streams: [],
      length: 1,
      checksum: 1,
    }
    const root = (change: object): unknown => ({
      generation: 1,
      snapshots: [{ ...entry, ...change }],
    })
    expect(parseRoot(tree(root({}))).snapshots[0]!.uuid).toBe(entry.uuid)
    for (const change of [
      { uuid: '../../../../etc/passwd' },
      { uuid: `${'A'.repeat(21)}/` },
      { state: 'IN_PROGRESS' },
      { start: -1 },
      { length: 1.5 },
      { indices: [3] },
      { name: null },
    ])
      expect(() => parseRoot(tree(root(change)))).toThrow('corrupt file')
    expect(() => parseRoot(tree({ generation: 0, snapshots: [] }))).toThrow('corrupt file')
  })

  it('is refused with files that have no such names', () => {
    const file = ['seg', 10, 5]
    const record = (files: unknown, id = 'ab'.repeat(16)): unknown => ({
      name: 's',
      uuid: 'u',
      state: 'SUCCESS',
      version: '3.6.0',
      include_global_state: true,
      metadata: null,
      start: 1,
      end: 2,
      data_streams: [],
      global_state: null,
      indices: [
        {
          name: 'i',
          uuid: 'x',
          entry: {},
          shards: [
            {
              max_seq_no: -1,
              primary_term: 1,
              commit: 5,
              start: 1,
              took: 1,
              incremental: [1, 2],
              segments: [{ id, max_doc: 1, deleted: 0, min_seq_no: 0, max_seq_no: 0, files }],
            },
          ],
        },
      ],
    })
    expect(readRecord(tree(record([file]))).indices[0]!.shards.length).toBe(1)
    for (const files of [
      [['exe', 10, 5]],
      [['seg', -1, 5]],
      [['seg', 10]],
      [['seg', '10', 5]],
      ['seg'],
      [file, file],
      {},
    ])
      expect(() => readRecord(tree(record(files)))).toThrow('corrupt file')
    expect(() => readRecord(tree(record([file], '../../x')))).toThrow('corrupt file')
  })
})
