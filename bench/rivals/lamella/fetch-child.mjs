// Lamella as a program uses it: the public API, from a search's text to documents in hand.
import { crc32 } from 'node:zlib'
import { open } from '../../../dist/index.js'
import { serve, Unsupported } from '../child-loop.mjs'
import { CACHE_SETTINGS } from './inline-search.mjs'

let database = null
let index = null

function clauseOf({ kind, field, values }) {
  switch (kind) {
    case 'term':
      return { term: { [field]: values[0] } }
    case 'phrase':
      return { match_phrase: { [field]: values.join(' ') } }
    case 'prefix':
      return { prefix: { [field]: values[0] } }
    case 'range':
      return { range: { [field]: { gte: Number(values[0]), lte: Number(values[1]) } } }
    default:
      throw new Unsupported(`no clause ${kind}`)
  }
}

function queryOf(clauses) {
  if (clauses.length === 1) return clauseOf(clauses[0])
  const bool = {}
  for (const clause of clauses) (bool[clause.occur] ??= []).push(clauseOf(clause))
  return { bool }
}

/** The body in one piece, with the tags of Lucene's highlighter. */
const WHOLE_BODY = {
  fields: ['body'],
  numberOfFragments: 0,
  preTags: '<b>',
  postTags: '</b>',
}

const float = new Float32Array(1)
const bits = new Int32Array(float.buffer)

await serve({
  hello: { version: 'Lamella', runtime: `Node ${process.version}` },
  build() {
    throw new Unsupported('opens what the other child built')
  },
  async open(folder) {
    database = await open(folder, { settings: CACHE_SETTINGS })
    index = await database.index('bench')
  },
  prepare(mode, _slices, clauses) {
    const query = queryOf(clauses)
    if (mode === 'fetch') return () => index.search({ query })
    if (mode === 'highlighted') return () => index.search({ query, highlight: WHOLE_BODY })
    throw new Unsupported(`no mode ${mode}`)
  },
  answer({ hits, total }) {
    return {
      docs: hits.map(hit => hit.source.line),
      keys: hits.map(({ score, highlight }) => {
        if (highlight !== null) return crc32(highlight.body[0]) | 0
        float[0] = score
        return bits[0]
      }),
      total: total.value,
      exact: total.relation === 'eq',
    }
  },
  close: () => database?.close(),
})
