import type { AnalysisRegistry } from '../../analysis/registry.ts'
import type { Settings } from '../../schema/settings.ts'
import type { ScriptRequest } from '../../script/script-request.ts'
import type { SliceHit } from '../../search/collector/collect-spec.ts'
import type { Query } from '../../search/query/query.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { SnapshotLeaf } from '../../segment/snapshot.ts'
import type { JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'
import type { Turn } from '../../util/turns.ts'
import type { SourceFilter } from '../api/documents.ts'
import type { SearchOptions } from '../api/searches.ts'
import type { ParsedSort, ResolvedSort } from '../dsl/field/sort-level.ts'
import type { QueryContext } from '../dsl/query-context.ts'
import type { InnerHitsQuery, NamedQuery } from '../dsl/query-notes.ts'
import type { ParsedCollapse } from '../dsl/search-body/collapse.ts'
import type { FieldAndFormat } from '../dsl/search-body/field-and-format.ts'
import type { ParsedHighlight } from '../dsl/search-body/highlight.ts'
import type { RequestPart } from '../dsl/search-body/request-part.ts'
import type { ParsedRescore } from '../dsl/search-body/rescore.ts'
import type { StoredFields } from '../dsl/search-body/stored-fields.ts'
import type { PrintedHit } from '../response/printed-hit.ts'
import type { ShardReader } from './shard-reader.ts'

/** The value of each part in one request; its names are those of the parts. */
export interface FetchPartValues {
  readonly storedFields: StoredFields
  readonly docvalueFields: readonly FieldAndFormat[]
  readonly fields: readonly FieldAndFormat[]
  /** Null: not asked for, which is all of it where `stored_fields` is not asked for either. */
  readonly source: SourceFilter | null
  readonly version: boolean
  readonly seqNoPrimaryTerm: boolean
  /** Null: not asked for. */
  readonly highlight: ParsedHighlight | null
  readonly scriptFields: readonly ParsedScriptField[]
  readonly explain: boolean
  /** Whether names come with scores. */
  readonly matchedQueries: boolean
  /** Nothing asks for either: they follow from the sort and from `track_scores`. */
  readonly sort: null
  readonly score: null
  /** Queries ask for it. */
  readonly innerHits: null
}

/** The name of a part of a hit. */
export type FetchPartName = keyof FetchPartValues

/** A rescoring as it was made for the index. */
export interface RescoreQuery extends Omit<ParsedRescore, 'query'> {
  readonly query: Query
}

/** A field that a script makes. */
export interface ParsedScriptField {
  readonly name: string
  readonly script: ScriptRequest
  /** Whether a hit goes without the field where the script fails. */
  readonly ignoresFailure: boolean
}

/** The search that found what is fetched, as it was made for the index. */
export interface FetchSubject {
  /** Of the index. */
  readonly settings: Settings
  readonly analysis: AnalysisRegistry
  readonly context: QueryContext
  readonly query: Query
  /** The documents that the caller may see; null: all. */
  readonly visible: Query | null
  readonly named: readonly NamedQuery[]
  readonly rescores: readonly RescoreQuery[]
  /** Inner hits that the query asks for, by name. */
  readonly innerHits: ReadonlyMap<string, InnerHitsQuery>
  readonly innerFetch: InnerFetch
  /** Totals of inner hits print as plain numbers. */
  readonly totalAsInt: boolean
  /** Null: hits stand by score alone. */
  readonly sort: readonly ResolvedSort[] | null
  /** Whether hits carry scores. */
  readonly withScores: boolean
}

/** Inner hits as the request wrote them. */
export interface ParsedInnerHits {
  /** Null: named like the path or the field. */
  readonly name: string | null
  readonly from: number
  readonly size: number
  /** Empty: by score. */
  readonly sort: readonly ParsedSort[]
  readonly trackScores: boolean
  readonly ignoresUnmapped: boolean
  readonly fetch: FetchPartValues
  /** Collapses hits of groups once more. It changes nothing for those of a query, as in the real server. */
  readonly collapse: ParsedCollapse | null
}

/** A nested document that is fetched with the one around it. */
export interface InnerDocument {
  /** Within the leaf. */
  readonly docId: number
  readonly hit: SliceHit
  readonly place: NestedPlace
  /** Of the outer document's tree, an object with the nested one below the place's fields; null: none. */
  partOf(outer: JsonNode | null): Uint8Array | null
}

/** Work that yields where a turn of the event loop is over. */
export type Reading<T> = Generator<void, T, void>

/** The fetch of inner documents, for the part that asks for it: its files would form a circle else. */
export interface InnerFetch {
  /** Inner hits by the object that the request wrote. */
  readonly requests: ReadonlyMap<JsonObjectNode, ParsedInnerHits>
  plan(asked: FetchPartValues, subject: FetchSubject): FetchPlan
  read(
    outer: FetchedDocument,
    documents: readonly InnerDocument[],
    plan: FetchPlan,
    turn: Turn,
  ): Reading<readonly PrintedHit[]>
  /** Reads whole documents of a shard that is being read. */
  readWhole(
    shard: ShardReader,
    hits: readonly SliceHit[],
    plan: FetchPlan,
    turn: Turn,
  ): Reading<readonly PrintedHit[]>
}

/** Where a nested document stands in its whole document. */
export interface NestedPlace {
  /** From the whole document inwards: a field, and which of its objects counts. */
  readonly steps: readonly { readonly field: string; readonly offset: number }[]
}

/** A part that a fetch runs. */
export interface PlannedPart {
  /** Its class in the fetch profile; null where it has none. */
  readonly subPhase: string | null
  readonly make: MakeReader
}

/** The parts of a request for the hits of one index. */
export interface FetchPlan {
  readonly parts: readonly PlannedPart[]
  /** Whether hits stand by score, and carry it. */
  readonly byScore: boolean
  /** Whether hits carry ids and routing values. */
  readonly withIds: boolean
  /** All nested paths of the index, where hits may be nested documents; absent: they are whole ones. */
  readonly nestedPaths?: readonly string[]
  /** Its name in profiles; absent: it is part of the fetch around it. */
  readonly profiledAs?: string
}

/** A document that is fetched, in its open leaf. */
export interface FetchedDocument {
  readonly hit: SliceHit
  readonly snapshotLeaf: SnapshotLeaf
  /** Within its leaf. */
  readonly docId: number
  readonly leaf: Leaf
  /** The whole document that it lies in, itself where it is none that is nested. */
  readonly rootDoc: number
  /** Null: it is a whole document. */
  readonly nested: NestedPlace | null
  /** A view that the next document may overwrite; null where no part of the plan reads sources. */
  readonly source: Uint8Array | null
  /** The source as a tree, read once for all parts; null without a source. */
  tree(): JsonNode | null
  /** The tree that stored fields are read from, the source's where the mapping keeps all of it. */
  storedTree(): JsonNode | null
  /** Names of fields whose values were passed over. */
  readonly ignored: readonly string[]
  readonly shard: ShardReader
}

/** Reads a part of one shard's hits, as the request asks. */
export interface HitReader {
  /** Whether it needs the documents' sources. */
  readonly readsSource: boolean
  /** Work for each hit beyond reading a column, in units of about a microsecond. */
  readonly extraUnits: number
  /**
   * Reads what the hit carries and sets its keys.
   * @param turn of the event loop that the work is part of
   * @returns what is left to do, where that may take longer than a turn: it yields where one is over
   */
  read(document: FetchedDocument, to: PrintedHit, turn: Turn): Reading<void> | void
}

/**
 * Makes a reader for the hits of one shard, valid for one snapshot, because readers cache its columns.
 * @param hits all that it will read
 */
export type MakeReader = (hits: readonly SliceHit[]) => HitReader

/**
 * Something that a hit carries beside its index, id, score and routing. A part has a file of its own in
 * `part/`, a line in `FetchPartValues` and one in `fetch-parts.ts`.
 */
export interface FetchPart<Asked> extends RequestPart<Asked> {
  /** Its class in the fetch profile of the reference server; null where that has none. */
  readonly subPhase: string | null
  /** Its value by the options of the URL, which win over the body; undefined where they have none. */
  ofOptions(options: SearchOptions): Asked | undefined
  /**
   * Prepares the part for the hits of an index; null where there is nothing to read.
   * @throws {EngineError} it does not fit the index
   */
  make(asked: Asked, subject: FetchSubject): MakeReader | null
}
