// Lunr as a child of the rivals' bench: no stemmer, no stop words.
import lunr from 'lunr'
import { serve } from '../child-loop.mjs'
import { buildInMemory, plainAnswer, refuseUnless, saved, shapeOf } from './token-documents.mjs'

// Words are cut already; Lunr itself would cut at hyphens too.
lunr.tokenizer.separator = / /
const { REQUIRED, OPTIONAL, PROHIBITED } = lunr.Query.presence
const { TRAILING } = lunr.Query.wildcard

const builder = new lunr.Builder()
builder.ref('line')
builder.field('text')
let index = null

await serve({
  hello: { version: `lunr ${lunr.version}`, runtime: `Node ${process.version}` },
  build: (file, folder) =>
    buildInMemory(file, folder, {
      add: document => builder.add(document),
      finish() {
        index = builder.build()
      },
      save: () => [JSON.stringify(index)],
    }),
  open(folder) {
    for (const text of saved(folder)) index = lunr.Index.load(JSON.parse(text))
  },
  prepare(_mode, _slices, clauses) {
    const { must, should, not, filters, other } = shapeOf(clauses)
    refuseUnless(other === null || other.kind === 'prefix', `no ${other?.kind}`)
    refuseUnless(filters.length === 0, 'no filters')
    return () =>
      index.query(query => {
        if (other !== null) query.term(other.values[0], { wildcard: TRAILING })
        for (const word of must) query.term(word, { presence: REQUIRED })
        for (const word of should) query.term(word, { presence: OPTIONAL })
        for (const word of not) query.term(word, { presence: PROHIBITED })
      })
  },
  answer: hits =>
    plainAnswer(
      hits.slice(0, 10).map(hit => Number(hit.ref)),
      hits.length,
    ),
  close() {},
})
