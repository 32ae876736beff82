import { filterSource } from '../../schema/source-filter.ts'
import { type ExplainedDocument, explainDocument } from '../../search/explain.ts'
import { bindJoins } from '../../search/query/bind-joins.ts'
import { mapListed } from '../../search/query/hybrid.ts'
import type { Query } from '../../search/query/query.ts'
import type { CallContext } from '../../task/call-context.ts'
import { validationFailed } from '../../util/errors.ts'
import type { ExplainCall, ExplainedHit, ExplainOutcome } from '../api/searches.ts'
import { readTarget } from '../document/read-target.ts'
import { storedValues } from '../document/stored-values.ts'
import { queryContextOf } from '../dsl/index-query-context.ts'
import { buildTopQuery } from '../dsl/query-context.ts'
import { parseCountBody } from '../dsl/search-body/count-body.ts'
import { columnValue } from '../fetch/column-value.ts'
import { keywordsOf } from '../fetch/fetch-hits.ts'
import { storedThrough } from '../fetch/visible-documents.ts'
import { visibleNames } from '../fetch/visible-source.ts'
import { withScratch } from '../fetch/with-scratch.ts'
import type { IndexView } from '../metadata/index-view.ts'
import type { Node } from '../node/node.ts'
import { printExplanation } from '../response/explanation.ts'
import { findJoins, joinOptions } from './find-joins.ts'
import { answersTo } from './lookup-calls.ts'
import { checkPlannedFields } from './restricted-search.ts'
import { searchByItself } from './search-call.ts'
import { lookInto, type ShardLeaves, scoringWeight } from './shard-leaves.ts'
import { documentOf, type FoundDocument } from './snapshot-document.ts'
import { queryThrough, visibleQuery } from './view-query.ts'
import { isVisible } from './visible-document.ts'

/**
 * Explains why a document matches a query, or does not: in the last refreshed snapshot of its shard,
 * through the filters of the alias that names the index.
 * @throws {EngineError} no query; a query that does not fit the index; as `readTarget`
 */
export async function explainOne(
  node: Node,
  call: ExplainCall,
  context: CallContext,
): Promise<ExplainOutcome> {
  node.ensureOpen()
  const parsed = parseCountBody(call.body)
  if (parsed === null) throw validationFailed(['query is missing'])
  const { view, index, shard } = readTarget(node, 'explain', call, context)
  const viewed = [{ view, index }]
  const answers = await answersTo(node, [parsed], viewed, context, searchByItself)
  const { queries, query } = await node.scripts.whenLoaded(() => {
    const queries = queryContextOf(view, node, Date.now(), answers)
    const asked = buildTopQuery(parsed, queries)
    checkPlannedFields(view, { queries: [asked], others: [] })
    // Restrictions of roles decide below; their text is none of the caller's.
    const through = { ...view, visible: null }
    return { queries, query: mapListed(asked, each => queryThrough(through, each, queries, node)) }
  })
  const snapshot = shard.snapshot.acquire()
  const charge = node.breakers.open('request', '<explain>')
  try {
    const joins = await findJoins(node, queries.notes.joins, {
      snapshot,
      options: joinOptions(node, index.metadata.settings, context),
      maxClauseCount: queries.maxClauseCount,
      view,
      visible: visibleQuery(view, queries, node),
      signal: context,
      charge,
    })
    const bound = bindJoins(query, joins)
    const hit = lookInto(node, snapshot, at => {
      const document = documentOf(snapshot, at, call.id)
      if (document === null || !isVisible(node, view, at, document)) return null
      const { isMatch, explanation } = explained(node, at, document, bound)
      const get = gotFrom(node, view, document, call)
      return { isMatch, explanation: printExplanation(explanation), get }
    })
    return { index: index.name, id: call.id, hit }
  } finally {
    charge.release()
    snapshot.release()
  }
}

function explained(
  { memory, searcher }: Node,
  at: ShardLeaves,
  { snapshotLeaf, docId }: FoundDocument,
  query: Query,
): ExplainedDocument {
  const weight = scoringWeight(query, at.leaves)
  return withScratch({ memory, searcher, pins: at.pins }, weight, snapshotLeaf, leaf =>
    explainDocument(weight, leaf, snapshotLeaf.ord, docId),
  )
}

/** The document as a get answers it; null where neither source nor stored fields are asked for. */
function gotFrom(
  node: Node,
  view: IndexView,
  { snapshotLeaf, leaf, docId }: FoundDocument,
  { source: filter, storedFields: names }: ExplainCall,
): ExplainedHit['get'] {
  if (names === null && (filter === null || !filter.enabled)) return null
  const documents = storedThrough(node.stored, view.fields)
  const source = documents.read(snapshotLeaf.segment, docId).slice()
  const stored = documents.readBeside(snapshotLeaf.segment, docId)?.slice() ?? source
  const kept = filter === null || source.length === 0 ? null : filterSource(source, filter)
  const ignored = keywordsOf(leaf, '_ignored', docId)
  return {
    seqNo: columnValue(leaf, '_seq_no', docId),
    primaryTerm: columnValue(leaf, '_primary_term', docId),
    routing: keywordsOf(leaf, '_routing', docId)[0] ?? null,
    ignored: visibleNames(ignored, view.fields),
    source: kept,
    fields: names === null ? null : storedValues(node, view, names, { stored, ignored }),
  }
}
