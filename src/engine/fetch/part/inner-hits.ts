import { indexSettings } from '../../../schema/setting-registry.ts'
import { valuesAt } from '../../../schema/source-values.ts'
import { SliceState } from '../../../search/collector/collector.ts'
import { NO_NESTED_DOCS } from '../../../search/collector/nested-docs.ts'
import { OwnControl } from '../../../search/collector/search-control.ts'
import { nestedOf, type SortKey } from '../../../search/collector/sort-key.ts'
import { TopFieldCollector } from '../../../search/collector/top-field-collector.ts'
import { openMatches } from '../../../search/matches-at.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { Float32, type JsonRecord, type JsonValue } from '../../../util/json/json-value.ts'
import { jsonValueOf, writeJson } from '../../../util/json/json-writer.ts'
import { notSupportedYet } from '../../dsl/parse-error.ts'
import type { InnerHitsQuery } from '../../dsl/query-notes.ts'
import { resolveSort } from '../../dsl/sort.ts'
import type { PrintedHit } from '../../response/printed-hit.ts'
import type {
  FetchedDocument,
  FetchPart,
  FetchPlan,
  FetchSubject,
  HitReader,
  InnerDocument,
  InnerFetch,
  NestedPlace,
  ParsedInnerHits,
} from '../fetch-part.ts'
import { FetchQuery } from '../fetch-query.ts'
import { checkInnerWindow } from '../inner-window.ts'

const BY_SCORE: readonly SortKey[] = [{ kind: 'score', descending: true }]

/** `inner_hits` of nested queries: the nested documents of the hit that they match. */
export const innerHitsPart: FetchPart<null> = {
  unasked: null,
  keys: {},
  subPhase: 'InnerHitsPhase',
  ofOptions: () => undefined,
  make(_asked, subject) {
    if (subject.innerHits.size === 0) return null
    const made = [...subject.innerHits].map(([name, noted]) => makeInner(name, noted, subject))
    return () => new InnerHitsReader(made, subject)
  },
}

/** Inner hits of one name, made for an index. */
interface MadeInnerHits extends InnerHitsQuery {
  readonly name: string
  readonly request: ParsedInnerHits
  /** Nested paths from the documents that they come with to their own, outer ones first. */
  readonly levels: readonly string[]
  readonly sort: readonly SortKey[]
  /** Whether hits stand by score, or show it all the same. */
  readonly withScores: boolean
  readonly plan: FetchPlan
}

/** @throws {EngineError} the request does not fit the index */
function makeInner(name: string, noted: InnerHitsQuery, subject: FetchSubject): MadeInnerHits {
  const { context, settings, innerFetch } = subject
  const request = innerFetch.requests.get(noted.asked)!
  checkInnerWindow(
    request,
    name,
    indexSettings.number(settings, 'index.max_inner_result_window') ?? 100,
  )
  const sort = resolveSort(request.sort, context)
  const keys = sort?.map(({ key }) => key) ?? BY_SCORE
  if (keys.some(key => nestedOf(key) !== null)) throw notSupportedYet('nested')
  const withScores = request.trackScores || keys.some(({ kind }) => kind === 'score')
  const plan = innerFetch.plan(request.fetch, {
    ...subject,
    query: noted.query,
    rescores: [],
    innerHits: noted.inner,
    sort,
    withScores,
  })
  const { path, parentPath } = noted
  const levels = context.mapping.nestedPaths.filter(
    each =>
      `${path}.`.startsWith(`${each}.`) &&
      (parentPath === null || each.startsWith(`${parentPath}.`)),
  )
  return { ...noted, name, request, levels, sort: keys, withScores, plan }
}

/** Documents of a block by level, ascending. */
type Levels = readonly (readonly number[])[]

class InnerHitsReader implements HitReader {
  readonly readsSource = true
  readonly extraUnits = 32
  readonly #made: readonly MadeInnerHits[]
  readonly #queries: readonly FetchQuery[]
  /** Of nested documents, by their path. */
  readonly #paths = new Map<string, FetchQuery>()
  readonly #innerFetch: InnerFetch
  readonly #totalAsInt: boolean

  constructor(made: readonly MadeInnerHits[], { innerFetch, totalAsInt }: FetchSubject) {
    this.#made = made
    this.#queries = made.map(({ query, withScores }) => new FetchQuery(query, withScores))
    this.#innerFetch = innerFetch
    this.#totalAsInt = totalAsInt
  }

  read(document: FetchedDocument, to: PrintedHit): void {
    to.inner_hits = new Map(
      this.#made.map((made, i): [string, JsonValue] => [
        made.name,
        { hits: this.#hits(made, this.#queries[i]!, document) },
      ]),
    )
  }

  #hits(made: MadeInnerHits, query: FetchQuery, document: FetchedDocument): JsonRecord {
    const first = this.#firstOf(made, document)
    const { total, maxScore, hits } = bestOf(made, query, document, first)
    const levels = made.levels.map(path => this.#docsOf(path, document, first))
    const inner = hits.map((hit): InnerDocument => {
      const docId = hit.globalDoc - document.snapshotLeaf.docBase
      const place = placeOf(made, levels, docId, document)
      return { docId, hit, place, source: sourceAt(document, place) }
    })
    const isScored = made.request.sort.length === 0 || made.request.trackScores
    return {
      total: this.#totalAsInt ? total : { value: total, relation: 'eq' },
      max_score: isScored && !Number.isNaN(maxScore) ? new Float32(maxScore) : null,
      hits: this.#innerFetch.read(document, inner, made.plan),
    }
  }

  /** The first document of a hit's own nested ones: those of a nested hit begin behind the one before it. */
  #firstOf({ parentPath }: MadeInnerHits, document: FetchedDocument): number {
    const { leaf, docId, rootDoc } = document
    const first = (leaf.parents()?.previous(rootDoc - 1) ?? rootDoc - 1) + 1
    if (parentPath === null) return first
    const before = this.#docsOf(parentPath, document, first).at(-1) ?? first - 1
    return before >= docId ? first : before + 1
  }

  /** The nested documents of a path, from one on and ahead of the hit. */
  #docsOf(path: string, document: FetchedDocument, first: number): readonly number[] {
    let query = this.#paths.get(path)
    if (query === undefined) {
      query = new FetchQuery({ kind: 'term', field: '_nested_path', term: path }, false)
      this.#paths.set(path, query)
    }
    const docs: number[] = []
    visit(query, document, first, doc => docs.push(doc))
    return docs
  }
}

/** Visits the matches of a query from one document on and ahead of the hit. */
function visit(
  query: FetchQuery,
  { shard, snapshotLeaf, docId }: FetchedDocument,
  first: number,
  visitor: (doc: number) => void,
): void {
  query.on(shard, snapshotLeaf, (weight, leaf) => {
    const matches = openMatches(weight, leaf, snapshotLeaf.ord)
    if (matches === null || first >= docId) return
    const { iterator } = matches
    for (let doc = iterator.advance(first); doc < docId; doc = iterator.nextDoc()) visitor(doc)
  })
}

/** The matching nested documents of a hit: how many there are, and the page of them that is asked for. */
function bestOf(
  { sort, request: { from, size }, withScores }: MadeInnerHits,
  query: FetchQuery,
  { shard, snapshotLeaf, docId }: FetchedDocument,
  first: number,
): { total: number; maxScore: number; hits: ReturnType<TopFieldCollector['hits']> } {
  return query.on(shard, snapshotLeaf, (weight, leaf) => {
    const state = new SliceState(new OwnControl(), Number.POSITIVE_INFINITY, false)
    const capacity = Math.max(1, Math.min(from + size, docId - first))
    const collector = new TopFieldCollector(capacity, sort, null, withScores, state, NO_NESTED_DOCS)
    const matches = openMatches(weight, leaf, snapshotLeaf.ord)
    if (matches !== null && first < docId) {
      const { iterator, scorer } = matches
      collector.openLeaf(leaf, snapshotLeaf.ord).setScorer(scorer)
      for (let doc = iterator.advance(first); doc < docId; doc = iterator.nextDoc())
        collector.collect(doc)
    }
    const hits = collector.hits().slice(from, from + size)
    return { total: state.hitCount, maxScore: collector.maxScore(), hits }
  })
}

/** Where a nested document stands: at each level, how many are ahead of it in the same object. */
function placeOf(
  { levels: paths, parentPath }: MadeInnerHits,
  levels: Levels,
  docId: number,
  { nested }: FetchedDocument,
): NestedPlace {
  const steps = paths.map((path, i) => {
    const outer = levels[i - 1]
    // Nested documents precede the one that they stand in.
    const behind = outer === undefined ? -1 : (outer.findLast(doc => doc < docId) ?? -1)
    const own = i === paths.length - 1 ? docId : levels[i]!.find(doc => doc > docId)!
    const offset = levels[i]!.filter(doc => doc > behind && doc < own).length
    const around = i === 0 ? parentPath : paths[i - 1]!
    return { field: around === null ? path : path.slice(around.length + 1), offset }
  })
  return { steps: [...(nested?.steps ?? []), ...steps] }
}

/** The source of a hit with nothing but the nested object at a place; null without a source. */
function sourceAt(document: FetchedDocument, { steps }: NestedPlace): Uint8Array | null {
  const root = document.tree()
  if (root === null) return null
  let node: JsonNode | undefined = root
  for (const [i, { field, offset }] of steps.entries()) {
    // The source of a nested hit has one object at each of its own levels.
    const isOuter = i < (document.nested?.steps.length ?? 0)
    const objects: JsonNode[] = valuesAt(node, field, false).filter(({ kind }) => kind === 'object')
    node = objects[isOuter ? 0 : offset]
    if (node === undefined) return null
  }
  let value: JsonValue = jsonValueOf(node)
  for (const { field } of [...steps].reverse()) value = new Map([[field, value]])
  return writeJson(value)
}
