// Orama as a child of the rivals' bench.
import { readFileSync } from 'node:fs'
import { create, insert, load, save, search } from '@orama/orama'
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
  readFileSync(new URL('node_modules/@orama/orama/package.json', import.meta.url), 'utf8'),
)

const index = create({
  schema: { text: 'string', package: 'enum', words: 'number', date: 'number' },
  components: {
    tokenizer: { language: 'english', normalizationCache: new Map(), tokenize: wordsOf },
  },
})

/** A threshold of 0 wants every word, one of 1 any of them. */
function paramsOf(mode, shape) {
  const { must, should, not, other } = shape
  const sorting = mode === 'sorted' ? { sortBy: { property: 'date', order: 'DESC' } } : {}
  if (other?.kind === 'prefix') return { term: other.values[0], properties: ['text'], ...sorting }
  if (other?.kind === 'range') {
    const [from, to] = other.values.map(Number)
    return { term: '', where: { [other.field]: { between: [from, to] } }, ...sorting }
  }
  refuseUnless(other === null, `no ${other?.kind}`)
  refuseUnless(not.length === 0, 'no forbidden words')
  refuseUnless(must.length === 0 || should.length === 0, 'no optional words beside required ones')
  const origin = packageOf(shape)
  return {
    term: [...must, ...should].join(' '),
    properties: ['text'],
    exact: true,
    threshold: must.length > 0 ? 0 : 1,
    ...(origin === null ? {} : { where: { package: { eq: origin } } }),
    ...sorting,
  }
}

await serve({
  hello: { version: `orama ${version}`, runtime: `Node ${process.version}` },
  build: (file, folder) =>
    buildInMemory(file, folder, {
      add: ({ line, ...document }) => insert(index, { id: String(line), ...document }),
      save: () => [JSON.stringify(save(index))],
    }),
  open(folder) {
    for (const text of saved(folder)) load(index, JSON.parse(text))
  },
  prepare(mode, _slices, clauses) {
    const params = { limit: 10, ...paramsOf(mode, shapeOf(clauses)) }
    return () => search(index, params)
  },
  answer: found =>
    plainAnswer(
      found.hits.map(hit => Number(hit.id)),
      found.count,
    ),
  close() {},
})
