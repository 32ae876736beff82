import fc from 'fast-check'
import { expect, it } from 'vitest'
import { WordReader, WordWriter } from '../../src/util/word-record.ts'

const values = fc.oneof(
  fc.double().map(value => ['number', value] as const),
  fc.integer().map(value => ['number', value] as const),
  fc.boolean().map(value => ['flag', value] as const),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(value => ['long', value] as const),
  // Lone surrogates too.
  fc.string({ unit: 'binary', maxLength: 40 }).map(value => ['text', value] as const),
  fc.uint8Array({ maxLength: 40 }).map(value => ['bytes', value] as const),
  fc.jsonValue().map(value => ['plain', value] as const),
)

function write(to: WordWriter, [kind, value]: readonly [string, unknown]): void {
  if (kind === 'number') to.number(value as number)
  else if (kind === 'flag') to.flag(value as boolean)
  else if (kind === 'long') to.long(value as bigint)
  else if (kind === 'text') to.text(value as string)
  else if (kind === 'bytes') to.bytes(value as Uint8Array)
  else to.plain(value)
}

it('gives back what was written, in order, from shared memory at any multiple of eight', () => {
  const writer = new WordWriter()
  const inner = new WordWriter()
  fc.assert(
    fc.property(fc.array(values, { maxLength: 300 }), fc.nat(5), (items, before) => {
      writer.reset()
      inner.reset()
      for (const item of items) write(inner, item)
      for (let i = 0; i < before; i++) writer.number(i)
      writer.words(inner.written)
      const shared = new SharedArrayBuffer(8 * (1 + writer.written.length))
      const words = new Float64Array(shared, 8)
      words.set(writer.written)
      const reader = new WordReader(words)
      for (let i = 0; i < before; i++) expect(reader.number()).toBe(i)
      for (const [kind, value] of items) expect(reader[kind]()).toEqual(value)
    }),
    { seed: 31, numRuns: 200 },
  )
})

it('gives a long text back', () => {
  const text = 'aé\u{1f600}\ud800'.repeat(5000)
  const writer = new WordWriter()
  writer.text(text)
  expect(new WordReader(writer.written).text()).toBe(text)
})
