import { CompletionColumn } from '../../dist/codec/completions/completion-column.js'
import { CompletionsReader } from '../../dist/codec/completions/reader.js'
import { writeCompletions } from '../../dist/codec/completions/writer.js'
import { searchCompletions } from '../../dist/search/suggest/completion-search.js'
import { viewsOf } from '../../dist/store/arena.js'
import { encodeUtf8 } from '../../dist/util/bytes.js'
import { Random } from '../../dist/util/random.js'
import { Turn } from '../../dist/util/turns.js'
import { micro } from '../lib/harness.ts'
import { atMost, type Bench } from '../lib/result.ts'

const COUNT = 1_000_000
const NANOS_PER_MICRO = 1000
const LETTERS = 'etaoinshrdlucmfwypvbgkjqxz'

/** The five best of a million completions of three letters. */
export const completion: Bench = {
  name: 'completion',
  async run() {
    const random = new Random(9)
    // Letters as uneven as those of words: some beginnings have tens of thousands of entries.
    const word = (length: number): string =>
      Array.from({ length }, () => LETTERS[Math.floor(26 * random.next() ** 2)]).join('')
    const column = new CompletionColumn(false)
    for (let doc = 0; doc < COUNT; doc++) {
      const key = encodeUtf8(`${word(4 + random.below(8))}\u001f${word(4)}`)
      const bytes = new Uint8Array([...key, ...key.map(byte => (byte === 0x1f ? 0x20 : byte))])
      column.push(doc, random.below(1_000_000), bytes, 0, key.length, bytes.length)
    }
    const file = writeCompletions(column, COUNT)
    const buffer = new ArrayBuffer(Math.ceil(file.length / 4) * 4)
    new Uint8Array(buffer).set(file)
    const section = { views: viewsOf(buffer), start: 0, length: file.length, name: 'bench' }
    const reader = new CompletionsReader(section)
    const leaf = { docBase: 0, liveDocs: null, completions: () => reader, parents: () => null }
    const shard = { leaves: [leaf as never], visible: null, charge() {} }
    const best = (prefix: string): number => {
      const pattern = { prefixes: [encodeUtf8(prefix)], automata: [], boostOf: () => 0 }
      const query = { field: 'f', pattern, contexts: null, size: 5, skipsDuplicates: false }
      const search = searchCompletions(shard, query, new Turn())
      for (;;) {
        const step = search.next()
        if (step.done === true) return step.value.length
      }
    }
    const prefixes = Array.from({ length: 100 }, () => word(3))
    const results = [
      ...(await micro(
        'completion',
        [
          {
            name: 'top 5 of 1,000,000 for 3 letters',
            run: () => prefixes.reduce((sum, prefix) => sum + best(prefix), 0),
          },
        ],
        'µs/search',
        NANOS_PER_MICRO * prefixes.length,
      )),
      ...(await micro(
        'completion',
        [{ name: 'top 5 for the commonest 3 letters', run: () => best('eee') }],
        'µs/search',
        NANOS_PER_MICRO,
      )),
    ]
    return results.map(result => ({ ...result, mark: atMost(result.median, 100, 'µs') }))
  },
}
