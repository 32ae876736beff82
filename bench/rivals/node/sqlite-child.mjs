// SQLite's FTS5 through better-sqlite3 as a child of the rivals' bench: an index without the text,
// and a table of the other fields beside it.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { serve } from '../child-loop.mjs'
import { documentsOf, packageOf, plainAnswer, refuseUnless, shapeOf } from './token-documents.mjs'

/** What stands inside words that are cut already. */
const TOKEN_CHARS = "._:,;''’‘·-"
const TABLES = `
  create virtual table docs using fts5(
    text, content='', tokenize="unicode61 remove_diacritics 0 tokenchars '${TOKEN_CHARS}'"
  );
  create table fields(line integer primary key, package text, words integer, date integer);
`
const INDEXES = `
  create index fields_package on fields(package);
  create index fields_words on fields(words);
  create index fields_date on fields(date);
`
const FILE = 'rivals.db'

let database = null

function build(file, folder) {
  const documents = [...documentsOf(file)]
  const path = join(folder, FILE)
  const building = new Database(path)
  building.pragma('journal_mode = off')
  building.exec(TABLES)
  const addText = building.prepare('insert into docs(rowid, text) values (?, ?)')
  const addFields = building.prepare('insert into fields values (?, ?, ?, ?)')
  const start = performance.now()
  building.transaction(() => {
    for (const { line, package: origin, words, date, text } of documents) {
      addText.run(line, text)
      addFields.run(line, origin, words, date)
    }
  })()
  building.exec(INDEXES)
  const built = performance.now() - start
  building.exec("insert into docs(docs) values ('optimize')")
  const merged = performance.now() - start - built
  building.close()
  return {
    nanos: Math.round(built * 1e6),
    mergeNanos: Math.round(merged * 1e6),
    docs: documents.length,
    bytes: { db: statSync(path).size },
    note: 'indexed from words cut already, without stored text',
  }
}

function quoted(word) {
  return `"${word.replaceAll('"', '""')}"`
}

/** The MATCH expression of a query's words. */
function matchOf({ must, should, not, other }) {
  if (other?.kind === 'phrase') return quoted(other.values.join(' '))
  if (other?.kind === 'prefix') return `${quoted(other.values[0])}*`
  refuseUnless(other === null, `no ${other?.kind} in a text`)
  refuseUnless(must.length === 0 || should.length === 0, 'no optional words beside required ones')
  const wanted = must.length > 0 ? must.map(quoted).join(' AND ') : should.map(quoted).join(' OR ')
  return not.length === 0 ? wanted : `(${wanted}) NOT (${not.map(quoted).join(' OR ')})`
}

function statementOf(mode, shape) {
  const { other } = shape
  if (other?.kind === 'range') {
    const where = `from fields where ${other.field} between ? and ?`
    const what = mode === 'count' ? `select count(*) ${where}` : `select line ${where} limit 10`
    return [what, other.values.map(Number)]
  }
  const origin = packageOf(shape)
  const match = matchOf(shape)
  const from = 'from docs join fields on line = docs.rowid where docs match ?'
  if (mode === 'sorted') return [`select line ${from} order by date desc limit 10`, [match]]
  if (origin !== null)
    return [`select line ${from} and package = ? order by rank limit 10`, [match, origin]]
  if (mode === 'count') return ['select count(*) from docs where docs match ?', [match]]
  return ['select rowid from docs where docs match ? order by rank limit 10', [match]]
}

const version = new Database(':memory:').prepare('select sqlite_version()').pluck().get()

await serve({
  hello: { version: `SQLite ${version} FTS5`, runtime: `Node ${process.version}` },
  build,
  open(folder) {
    database = new Database(join(folder, FILE), { readonly: true })
    database.pragma('mmap_size = 1073741824')
  },
  prepare(mode, _slices, clauses) {
    const [sql, values] = statementOf(mode, shapeOf(clauses))
    const statement = database.prepare(sql).pluck()
    if (mode === 'count') return () => ({ total: statement.get(...values) })
    return () => ({ docs: statement.all(...values) })
  },
  answer: ({ docs, total }) => plainAnswer(docs ?? [], total ?? null),
  close: () => database?.close(),
})
