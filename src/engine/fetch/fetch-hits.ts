/** Reads what a response shows of the hits of one shard. */
import type { FetchProfiler, FetchStep } from '../../profile/fetch-profiler.ts'
import type { SliceHit } from '../../search/collector/collect-spec.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { SnapshotLeaf } from '../../segment/snapshot.ts'
import { decodeUtf8 } from '../../util/bytes.ts'
import { type JsonNode, parseKnownTree } from '../../util/json/json-tree.ts'
import type { JsonRecord } from '../../util/json/json-value.ts'
import type { Turn } from '../../util/turns.ts'
import { newHit, type PrintedHit } from '../response/printed-hit.ts'
import type {
  FetchedDocument,
  FetchPlan,
  HitReader,
  InnerDocument,
  NestedPlace,
  Reading,
} from './fetch-part.ts'
import { NestedPlaces, partAt } from './nested-places.ts'
import { type FetchPlace, ShardReader } from './shard-reader.ts'
import { visibleNames } from './visible-source.ts'

/** A source is copied out of its block, and again into the response. */
const COPIES = 2

/** A source of 2¹² bytes is a unit of work where it is copied, and several where it is filtered. */
const LOG2_SOURCE_BYTES_PER_UNIT = 12

/**
 * Reads hits in the order given, and yields between two of them where a turn is over. Inner documents are
 * fetched by calling it again, with a plan of their own.
 * @param hits documents of the place's snapshot, with the scores and sort values that they print
 * @param plan made for the shard's index
 */
export function* fetchHits(
  place: FetchPlace,
  hits: readonly SliceHit[],
  plan: FetchPlan,
  turn: Turn,
): Generator<void, PrintedHit[], void> {
  if (hits.length === 0) return []
  const pins = place.memory.newPins()
  try {
    const phases = plan.parts.flatMap(({ subPhase }) => subPhase ?? [])
    const profiler = profilerOf(place, plan)
    const shard = new ShardReader({ ...place, profiler }, pins, phases)
    const documents = new DocumentReader(shard, plan, hits, profiler)
    const printed: PrintedHit[] = []
    for (const hit of hits) {
      printed.push(documents.read(hit, turn))
      if (documents.rest !== null) yield* documents.rest
      if (turn.isOver(documents.units)) yield
    }
    return printed
  } finally {
    pins.release()
  }
}

/** A part with its reader. */
interface ReadPart {
  readonly subPhase: string | null
  readonly reader: HitReader
}

/**
 * A document's trees, each read when it is first asked for.
 * @param readStored reads what stored fields are read from; null: they are read from the source
 */
function treesOf(
  source: Uint8Array | null,
  readStored: () => Uint8Array | null,
): Pick<FetchedDocument, 'source' | 'tree' | 'storedTree'> {
  const tree = lazyTree(() => source)
  const stored = lazyTree(readStored)
  return { source, tree, storedTree: () => stored() ?? tree() }
}

/** Reads a tree once; null where there are no bytes. */
function lazyTree(read: () => Uint8Array | null): () => JsonNode | null {
  let tree: JsonNode | null | undefined
  return () => {
    if (tree === undefined) {
      const bytes = read()
      tree = bytes === null || bytes.length === 0 ? null : parseKnownTree(bytes)
    }
    return tree
  }
}

/** `_nested` of a hit. */
function printPlace({ steps }: NestedPlace): JsonRecord | undefined {
  let printed: JsonRecord | undefined
  for (const { field, offset } of [...steps].reverse())
    printed = { field, offset, _nested: printed }
  return printed
}

/** Reads nested documents of one that is being read. */
export function* fetchNested(
  outer: FetchedDocument,
  documents: readonly InnerDocument[],
  plan: FetchPlan,
  turn: Turn,
): Reading<readonly PrintedHit[]> {
  if (documents.length === 0) return []
  const hits = documents.map(({ hit }) => hit)
  const reader = new DocumentReader(outer.shard, plan, hits, profilerOf(outer.shard.place, plan))
  const printed: PrintedHit[] = []
  for (const document of documents) {
    printed.push(reader.readInner(outer, document, turn))
    if (reader.rest !== null) yield* reader.rest
    if (turn.isOver(reader.units)) yield
  }
  return printed
}

/** Reads whole documents of a shard that is being read. */
export function* fetchWhole(
  shard: ShardReader,
  hits: readonly SliceHit[],
  plan: FetchPlan,
  turn: Turn,
): Reading<readonly PrintedHit[]> {
  if (hits.length === 0) return []
  const reader = new DocumentReader(shard, plan, hits, profilerOf(shard.place, plan))
  const printed: PrintedHit[] = []
  for (const hit of hits) {
    printed.push(reader.read(hit, turn))
    if (reader.rest !== null) yield* reader.rest
    if (turn.isOver(reader.units)) yield
  }
  return printed
}

class DocumentReader {
  /** Cost of the last document, in units of about a microsecond. */
  units = 0
  /** The unread rest of the last document; null: nothing. */
  rest: Reading<void> | null = null
  readonly #shard: ShardReader
  readonly #plan: FetchPlan
  readonly #parts: readonly ReadPart[]
  readonly #readsSource: boolean
  readonly #unitsPerHit: number
  /** Null: hits are whole documents. */
  readonly #places: NestedPlaces | null
  readonly #profiler: FetchProfiler | null
  /** Ord of the leaf that was read last in a fetch within another, which has opened it. */
  #lastLeaf = -1

  constructor(
    shard: ShardReader,
    plan: FetchPlan,
    hits: readonly SliceHit[],
    profiler: FetchProfiler | null,
  ) {
    this.#shard = shard
    this.#profiler = profiler
    this.#plan = plan
    this.#parts = this.#step('build_sub_phase_processors', () =>
      plan.parts.map(({ subPhase, make }) => ({ subPhase, reader: make(hits) })),
    )
    this.#readsSource = this.#step('create_stored_fields_visitor', () =>
      this.#parts.some(({ reader }) => reader.readsSource),
    )
    this.#unitsPerHit = this.#parts.reduce((sum, { reader }) => sum + reader.extraUnits, 1)
    this.#places = plan.nestedPaths === undefined ? null : new NestedPlaces(plan.nestedPaths)
  }

  read(hit: SliceHit, turn: Turn): PrintedHit {
    const shard = this.#shard
    const { snapshot } = shard.place
    const profiler = this.#profiler
    const snapshotLeaf = snapshot.leafOf(hit.globalDoc)
    this.#noteLeaf(snapshotLeaf)
    const docId = hit.globalDoc - snapshotLeaf.docBase
    const leaf = shard.leaf(snapshotLeaf)
    const rootDoc = this.#places === null ? docId : (leaf.parents()?.next(docId) ?? docId)
    if (rootDoc !== docId) return this.#readNested(hit, snapshotLeaf, docId, rootDoc, turn)
    const source = this.#readsSource ? this.#source(snapshotLeaf, docId) : null
    this.units =
      this.#unitsPerHit + (source === null ? 0 : source.length >>> LOG2_SOURCE_BYTES_PER_UNIT)
    const ignored = visibleNames(keywordsOf(leaf, '_ignored', docId), shard.place.fields)
    const printed =
      profiler === null
        ? this.#frame(hit, leaf, docId, ignored)
        : profiler.step('load_stored_fields', () => this.#frame(hit, leaf, docId, ignored))
    this.rest = null
    if (this.#parts.length === 0) return printed
    const { tree, storedTree } = treesOf(source, () => this.#stored(snapshotLeaf, docId))
    // Each key by itself: a literal with a spread takes as long as reading the rest of a hit.
    const document = {
      hit,
      shard,
      ignored,
      snapshotLeaf,
      docId,
      rootDoc: docId,
      leaf,
      nested: null,
      source,
      tree,
      storedTree,
    }
    return this.#readParts(document, printed, turn)
  }

  /** Reads a nested document that is a hit itself. */
  #readNested(
    hit: SliceHit,
    snapshotLeaf: SnapshotLeaf,
    docId: number,
    rootDoc: number,
    turn: Turn,
  ): PrintedHit {
    const shard = this.#shard
    const leaf = shard.leaf(snapshotLeaf)
    const bytes = this.#readsSource ? this.#source(snapshotLeaf, rootDoc) : null
    this.units =
      this.#unitsPerHit + (bytes === null ? 0 : bytes.length >>> LOG2_SOURCE_BYTES_PER_UNIT)
    const around = { snapshotLeaf, docId: rootDoc, rootDoc, leaf, nested: null }
    const trees = treesOf(bytes, () => this.#stored(snapshotLeaf, rootDoc))
    const root = { hit, shard, ignored: NONE, ...around, ...trees }
    const place = this.#places!.placeOf(docId, root)
    const partOf = (outer: JsonNode | null): Uint8Array | null => partAt(outer, place, 0)
    return this.readInner(root, { docId, hit, place, partOf }, turn)
  }

  /** Reads a nested document of one that is being read. */
  readInner(
    outer: FetchedDocument,
    { docId, hit, place, partOf }: InnerDocument,
    turn: Turn,
  ): PrintedHit {
    this.units = this.#unitsPerHit
    this.#noteLeaf(outer.snapshotLeaf)
    const { byScore, withIds } = this.#plan
    const { index } = this.#shard.place
    const id = withIds ? decodeUtf8(outer.leaf.ids().id(outer.rootDoc)) : null
    const printed = newHit(index, id, byScore ? hit.score : Number.NaN, null)
    printed._nested = printPlace(place)
    const trees = treesOf(partOf(outer.tree()), () => {
      const stored = outer.storedTree()
      return stored === outer.tree() ? null : partOf(stored)
    })
    const document = { ...outer, hit, docId, nested: place, ...trees }
    return this.#readParts(document, printed, turn)
  }

  /** Notes another leaf in the profile of a fetch within another, whose leaves that one opens. */
  #noteLeaf({ ord }: SnapshotLeaf): void {
    const profiler = this.#profiler
    if (profiler === null || profiler === this.#shard.place.profiler || ord === this.#lastLeaf)
      return
    this.#lastLeaf = ord
    profiler.step('get_next_reader', () => {})
    profiler.nextReader(this.#parts.flatMap(({ subPhase }) => subPhase ?? []))
  }

  #readParts(document: FetchedDocument, to: PrintedHit, turn: Turn): PrintedHit {
    this.rest = null
    const parts = this.#parts
    for (let i = 0; i < parts.length; i++) {
      const rest = this.#read(parts[i]!, document, to, turn)
      if (!rest) continue
      this.rest = this.#readRest(rest, i + 1, document, to, turn)
      break
    }
    return to
  }

  *#readRest(
    first: Reading<void>,
    from: number,
    document: FetchedDocument,
    to: PrintedHit,
    turn: Turn,
  ): Reading<void> {
    yield* first
    for (const part of this.#parts.slice(from)) {
      const rest = this.#read(part, document, to, turn)
      if (rest) yield* rest
    }
  }

  #frame({ score }: SliceHit, leaf: Leaf, docId: number, ignored: readonly string[]): PrintedHit {
    const { byScore, withIds } = this.#plan
    const { index } = this.#shard.place
    const shown = byScore ? score : Number.NaN
    if (!withIds) return newHit(index, null, shown, null)
    const id = decodeUtf8(leaf.ids().id(docId))
    const [routing = null] = keywordsOf(leaf, '_routing', docId)
    const hit = newHit(index, id, shown, routing)
    if (ignored.length > 0) hit._ignored = ignored
    return hit
  }

  #read(
    { reader, subPhase }: ReadPart,
    document: FetchedDocument,
    to: PrintedHit,
    turn: Turn,
  ): Reading<void> | void {
    const profiler = this.#profiler
    if (profiler === null || subPhase === null) return reader.read(document, to, turn)
    // A profile measures work, not the turns of others.
    profiler.process(subPhase, () => {
      const rest = reader.read(document, to, turn)
      if (rest) while (rest.next().done !== true);
    })
  }

  #source({ segment }: SnapshotLeaf, docId: number): Uint8Array {
    const { stored, charge } = this.#shard.place
    const bytes = this.#step('load_source', () => stored.read(segment, docId))
    charge.add(COPIES * bytes.length)
    return bytes
  }

  /** The object that the segment keeps for stored fields beside the source; null: none. */
  #stored({ segment }: SnapshotLeaf, docId: number): Uint8Array | null {
    const { stored, charge } = this.#shard.place
    const bytes = stored.readBeside(segment, docId)
    if (bytes !== null) charge.add(bytes.length)
    return bytes
  }

  #step<T>(step: FetchStep, run: () => T): T {
    const profiler = this.#profiler
    return profiler === null ? run() : profiler.step(step, run)
  }
}

/** The profiler of a plan's fetch in a shard; null without a profile. */
function profilerOf({ profiler }: FetchPlace, { profiledAs }: FetchPlan): FetchProfiler | null {
  return profiledAs === undefined ? profiler : (profiler?.beside(profiledAs) ?? null)
}

const NONE: readonly string[] = []

/** A document's values of a column of keywords, in order; none where the leaf has no such column. */
export function keywordsOf(leaf: Leaf, name: string, docId: number): readonly string[] {
  const ordinals = leaf.ordinals(name)
  if (ordinals === null || !ordinals.advanceExact(docId)) return NONE
  const terms = leaf.terms(name)
  if (terms === null) return NONE
  return Array.from({ length: ordinals.valueCount() }, (_, i) =>
    decodeUtf8(terms.termOfOrd(ordinals.ord(i))),
  )
}
