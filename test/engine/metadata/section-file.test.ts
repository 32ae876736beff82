import { expect, it } from 'vitest'
import type { MetadataSection } from '../../../src/engine/metadata/section/metadata-section.ts'
import { sectionValue } from '../../../src/engine/metadata/section/metadata-section.ts'
import { SectionFile } from '../../../src/engine/metadata/section/section-file.ts'
import { numberAt } from '../../../src/engine/metadata/section/stored-values.ts'
import { StateFile } from '../../../src/shard/state-file.ts'
import type { Directory } from '../../../src/store/directory.ts'
import { MemoryDirectory } from '../../../src/store/memory-directory.ts'
import { encodeUtf8 } from '../../../src/util/bytes.ts'

/** `{"n": 1}`, and `{"m": 1}` before version 2. */
const COUNT: MetadataSection<number> = {
  name: 'count',
  version: 2,
  isRequired: true,
  empty: () => 7,
  upgrade(content, from) {
    if (content.kind !== 'object') return content
    const entries = content.entries.map(entry => ({ ...entry, key: `n${from === 0 ? 0 : ''}` }))
    return { ...content, entries }
  },
  parse: content => numberAt(content, 'n') ?? numberAt(content, 'n0') ?? -1,
  print: n => ({ n }),
}

const open = (directory: Directory): SectionFile => new SectionFile(directory, [COUNT], [COUNT])
const bodyOf = (directory: Directory): string =>
  Buffer.from(new StateFile(directory).body!).toString()

function withBody(body: string): Directory {
  const directory = new MemoryDirectory()
  new StateFile(directory).write(encodeUtf8(body))
  return directory
}

it('gives the empty value without a file, and what was written after', () => {
  const directory = new MemoryDirectory()
  const file = open(directory)
  expect([file.isEmpty, file.read(COUNT)]).toEqual([true, 7])
  file.write([sectionValue(COUNT, 3)])
  expect(bodyOf(directory)).toBe('{"section":"count","version":2,"required":true}\n{"n":3}\n')
  expect([open(directory).isEmpty, open(directory).read(COUNT)]).toEqual([false, 3])
})

it('reads older content by an upgrade, and the body of before sections as version 0', () => {
  const older = '{"section":"count","version":1,"required":true}\n{"m":5}\n'
  expect(open(withBody(older)).read(COUNT)).toBe(5)
  expect(open(withBody('{"m":6}')).content(COUNT)).toMatchObject({ entries: [{ key: 'n0' }] })
  expect(open(withBody('{"m":6}')).read(COUNT)).toBe(6)
})

it('keeps sections that it does not know byte for byte', () => {
  const unknown = '{"section":"later","version":9,"required":false}\n{"é" :  [1.50, 1e400]}\n'
  const directory = withBody(`${unknown}{"section":"count","version":2,"required":true}\n{"n":1}\n`)
  open(directory).write([sectionValue(COUNT, 2)])
  open(directory).write([sectionValue(COUNT, 3)])
  expect(bodyOf(directory)).toBe(
    `{"section":"count","version":2,"required":true}\n{"n":3}\n${unknown}`,
  )
})

it('refuses a section that must be known, and content of a newer version', () => {
  const required = '{"section":"later","version":1,"required":true}\n{}\n'
  expect(() => open(withBody(required))).toThrow(/format \[later\].*newer release/)
  const newer = '{"section":"count","version":3,"required":true}\n{}\n'
  expect(() => open(withBody(newer)).read(COUNT)).toThrow(/version \[3\] of format \[count\]/)
})

it('says where a body is damaged', () => {
  expect(() => open(withBody('{"section":"count","version":2}\n{"n":1}'))).toThrow(
    /corrupt file \[state\] at byte \[64\]/,
  )
  expect(() => open(withBody('{"version":2}\n{}\n'))).toThrow(/the key \[section\]/)
})
