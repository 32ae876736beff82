// What the Node rivals share: documents whose words are cut already, so that all of them index the
// same tokens, and the shapes of queries that they know.
import { closeSync, existsSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Unsupported } from '../child-loop.mjs'

const SAVED = 'index.json'
const CUT = 'indexed from words cut already'

/** The documents of a file of tokens; `text` has its tokens between single spaces. */
export function* documentsOf(file) {
  let line = 0
  for (const row of readFileSync(file, 'utf8').split('\n')) {
    if (row === '') continue
    const [origin, words, date, text] = row.split('\t')
    yield { line: line++, package: origin, words: Number(words), date: Number(date), text }
  }
}

/** The cutting that is left to do. */
export function wordsOf(text) {
  return text === '' ? [] : text.split(' ')
}

/**
 * A query sorted by what its clauses do; clauses that a library has no word for are left for it to
 * refuse. A lone clause is optional, which comes to the same as required.
 */
export function shapeOf(clauses) {
  const shape = { must: [], should: [], not: [], filters: [], other: null }
  for (const clause of clauses) {
    if (clause.field !== 'body' && clause.occur === 'filter') shape.filters.push(clause)
    else if (clause.kind !== 'term') shape.other = clause
    else if (clause.occur === 'filter') shape.filters.push(clause)
    else shape[clause.occur === 'must_not' ? 'not' : clause.occur].push(clause.values[0])
  }
  return shape
}

/** The package that a shape's only filter names, null without a filter. */
export function packageOf({ filters }) {
  if (filters.length === 0) return null
  const [{ field, values }] = filters
  refuseUnless(filters.length === 1 && field === 'package', 'no clause that filters by a word')
  return values[0]
}

/** @throws {Unsupported} the library has no way to do it */
export function refuseUnless(can, reason) {
  if (!can) throw new Unsupported(reason)
}

/** The answer of a library whose scores are its own. */
export function plainAnswer(docs, total = null) {
  return { docs, keys: docs.map(() => 0), total, exact: total !== null }
}

/**
 * Times the making of an index in memory, then writes it out as the library does, so that another
 * process can open it; an index that is too large for that stays where it is.
 * @param save the pieces of text that `load` is to get
 */
export async function buildInMemory(file, folder, { add, finish, save }) {
  const documents = [...documentsOf(file)]
  const start = performance.now()
  for (const document of documents) add(document)
  finish?.()
  const nanos = Math.round((performance.now() - start) * 1e6)
  const built = { nanos, mergeNanos: 0, docs: documents.length }
  try {
    const path = join(folder, SAVED)
    const out = openSync(path, 'w')
    for (const piece of await save()) writeFileSync(out, `${piece}\n`)
    closeSync(out)
    return { ...built, bytes: { json: statSync(path).size }, note: CUT }
  } catch (error) {
    return { ...built, bytes: null, note: `${CUT}; cannot be written out: ${error.message}` }
  }
}

/** The pieces that were saved; none where the index is still in memory. */
export function saved(folder) {
  const path = join(folder, SAVED)
  return existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : []
}
