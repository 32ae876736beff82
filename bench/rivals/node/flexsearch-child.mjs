// FlexSearch as a child of the rivals' bench. It ranks by where a word stands, not by BM25.
import { readFileSync } from 'node:fs'
import { Index } from 'flexsearch'
import { serve } from '../child-loop.mjs'
import {
  buildInMemory,
  plainAnswer,
  refuseUnless,
  saved,
  shapeOf,
  wordsOf,
} from './token-documents.mjs'

const { version } = JSON.parse(
  readFileSync(new URL('node_modules/flexsearch/package.json', import.meta.url), 'utf8'),
)

const index = new Index({ tokenize: 'strict', encode: wordsOf, cache: false })

await serve({
  hello: { version: `flexsearch ${version}`, runtime: `Node ${process.version}` },
  build: (file, folder) =>
    buildInMemory(file, folder, {
      add: document => index.add(document.line, document.text),
      async save() {
        const pieces = []
        await index.export((key, data) => {
          pieces.push(JSON.stringify([key, data]))
        })
        return pieces
      },
    }),
  open(folder) {
    for (const piece of saved(folder)) index.import(...JSON.parse(piece))
  },
  prepare(_mode, _slices, clauses) {
    const { must, should, not, filters, other } = shapeOf(clauses)
    refuseUnless(other === null, `no ${other?.kind}`)
    refuseUnless(filters.length === 0, 'its plain index has no filters')
    refuseUnless(not.length === 0, 'its plain index has no forbidden words')
    refuseUnless(must.length === 0 || should.length === 0, 'no optional words beside required ones')
    const text = [...must, ...should].join(' ')
    const options = { limit: 10, suggest: must.length === 0 }
    return () => index.search(text, options)
  },
  answer: hits => plainAnswer(hits),
  close() {},
})
