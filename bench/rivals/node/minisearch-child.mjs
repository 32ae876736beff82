// MiniSearch as a child of the rivals' bench.
import { readFileSync } from 'node:fs'
import MiniSearch from 'minisearch'
import { serve } from '../child-loop.mjs'
import {
  buildInMemory,
  packageOf,
  plainAnswer,
  refuseUnless,
  saved,
  shapeOf,
  wordsOf,
} from './token-documents.mjs'

const { version } = JSON.parse(
  readFileSync(new URL('node_modules/minisearch/package.json', import.meta.url), 'utf8'),
)

const OPTIONS = {
  idField: 'line',
  fields: ['text'],
  storeFields: ['package'],
  tokenize: wordsOf,
  processTerm: term => term,
}

let index = new MiniSearch(OPTIONS)

function treeOf({ must, should, not }) {
  refuseUnless(must.length === 0 || should.length === 0, 'no optional words beside required ones')
  const wanted =
    must.length > 0 ? { combineWith: 'AND', queries: must } : { combineWith: 'OR', queries: should }
  return not.length === 0 ? wanted : { combineWith: 'AND_NOT', queries: [wanted, ...not] }
}

await serve({
  hello: { version: `minisearch ${version}`, runtime: `Node ${process.version}` },
  build: (file, folder) =>
    buildInMemory(file, folder, {
      add: document => index.add(document),
      save: () => [JSON.stringify(index)],
    }),
  open(folder) {
    for (const text of saved(folder)) index = MiniSearch.loadJSON(text, OPTIONS)
  },
  prepare(_mode, _slices, clauses) {
    const shape = shapeOf(clauses)
    const { other } = shape
    refuseUnless(other === null || other.kind === 'prefix', `no ${other?.kind}`)
    if (other !== null) return () => index.search(other.values[0], { prefix: true })
    const origin = packageOf(shape)
    const options = origin === null ? {} : { filter: hit => hit.package === origin }
    const tree = treeOf(shape)
    return () => index.search(tree, options)
  },
  answer: hits =>
    plainAnswer(
      hits.slice(0, 10).map(hit => hit.id),
      hits.length,
    ),
  close() {},
})
