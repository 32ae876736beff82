/**
 * A search's profile as the library gives it: the documented response with camelCase names. Names
 * in a breakdown (`next_doc`, `max_score_count`, …) stay as they are documented. Durations are
 * integers, nanoseconds. The profile describes the iterator executor, which every profiled search
 * runs on.
 */

/** The profile of one search: an entry per shard, sorted by id. */
export interface ProfileReport {
  readonly shards: readonly ShardProfile[]
}

/** One shard's profile. */
export interface ShardProfile {
  /** `[node id][index][shard]`. */
  readonly id: string
  readonly queries: readonly QueryProfile[]
  readonly rewriteTimeInNanos: number
  readonly collectors: readonly CollectorProfile[]
  /** Null unless `profileKernels` was asked for. */
  readonly kernels: readonly KernelSlice[] | null
  /** Null unless the setting `lamella.profile.fetch` is true; empty where no hit was read. */
  readonly fetch: readonly FetchProfile[] | null
}

/** Time that fetching a shard's hits took, or one sub-phase of it. */
export interface FetchProfile {
  readonly type: string
  readonly description: string
  readonly timeInNanos: number
  /** Step → nanoseconds, and `…_count` → calls. */
  readonly breakdown: Readonly<Record<string, number>>
  readonly children: readonly FetchProfile[]
}

/** One node of the query as it ran, with the nodes below it. */
export interface QueryProfile {
  readonly type: string
  readonly description: string
  readonly timeInNanos: number
  /** Null when the search was not cut into slices. */
  readonly sliceTimes: SliceTimes | null
  /** Method → nanoseconds, and `…_count` → calls; over slices also `max_`, `min_`, `avg_`. */
  readonly breakdown: Readonly<Record<string, number>>
  /** Null unless `profileSlices` was asked for and the search was cut into slices. */
  readonly slices: readonly SliceReport[] | null
  readonly children: readonly QueryProfile[]
}

/** How long the slices took. */
export interface SliceTimes {
  readonly maxInNanos: number
  readonly minInNanos: number
  readonly avgInNanos: number
}

/** Counts and times of one slice for one node of the query. */
export interface SliceReport {
  readonly sliceId: number
  readonly timeInNanos: number
  /** Number of the search thread; −1: the thread that owns the engine. */
  readonly worker: number
  /** From hand-over to start. */
  readonly queueTimeInNanos: number
  /** From the creation of the root weight to the slice's start. */
  readonly startOffsetInNanos: number
  readonly partitions: readonly SlicePartition[]
  readonly breakdown: Readonly<Record<string, number>>
}

/** A segment, or a range of its documents, that a slice searched. */
export interface SlicePartition {
  readonly segmentOrd: number
  readonly minDoc: number
  /** One past the last document. */
  readonly maxDoc: number
}

/** One slice of the search as it runs without a profile. */
export interface KernelSlice {
  readonly sliceId: number
  /** Number of the search thread; −1: the thread that owns the engine. */
  readonly worker: number
  /** From hand-over to start. */
  readonly queueTimeInNanos: number
  /** From the search's beginning to the slice's start. */
  readonly startOffsetInNanos: number
  /** Of which four phases are the parts. */
  readonly timeInNanos: number
  /** Filling the records of clauses and making sets of documents. */
  readonly prepareTimeInNanos: number
  /** Finding a score that enough documents reach, before any posting is read. */
  readonly primeTimeInNanos: number
  readonly searchTimeInNanos: number
  /** Putting together what the leaves gave. */
  readonly mergeTimeInNanos: number
  readonly executor: 'kernel' | 'iterator'
  /** Why iterators ran it; null where the kernels did. */
  readonly reason: string | null
  readonly leaves: readonly KernelLeaf[]
}

/** Counts of the kernels in a segment or a range of its documents; iterators count blocks alone. */
export interface KernelLeaf extends SlicePartition {
  readonly windows: number
  readonly windowsSkipped: number
  readonly blocksDecoded: number
  readonly blocksSkipped: number
  readonly postingsScored: number
  readonly positionsChecked: number
  readonly candidates: number
}

/** One collector of the chain, with those inside it. */
export interface CollectorProfile {
  readonly name: string
  readonly reason: string
  readonly timeInNanos: number
  /** Null when the search was not cut into slices. */
  readonly reduceTimeInNanos: number | null
  readonly sliceTimes: SliceTimes | null
  readonly sliceCount: number | null
  readonly children: readonly CollectorProfile[]
}

/** A JSON object that this process made itself: keys are trusted, values are looked at. */
type Wire = Readonly<Record<string, unknown>>

/** Reads the `profile` object of a search response. */
export function profileReport(wire: unknown): ProfileReport {
  return { shards: objects(asObject(wire)['shards']).map(readShard) }
}

function readShard(shard: Wire): ShardProfile {
  const searches = objects(shard['searches'])
  const kernels = shard['kernels']
  const fetch = shard['fetch']
  return {
    id: String(shard['id']),
    queries: searches.flatMap(search => objects(search['query'])).map(readQuery),
    rewriteTimeInNanos: searches.reduce((sum, search) => sum + number(search['rewrite_time']), 0),
    collectors: searches.flatMap(search => objects(search['collector'])).map(readCollector),
    kernels: kernels === undefined ? null : objects(kernels).map(readKernelSlice),
    fetch: fetch === undefined ? null : objects(fetch).map(readFetch),
  }
}

// Recursion is as deep as the query, whose depth the parser has bounded.
function readQuery(query: Wire): QueryProfile {
  const slices = query['slices']
  return {
    type: String(query['type']),
    description: String(query['description']),
    timeInNanos: number(query['time_in_nanos']),
    sliceTimes: readSliceTimes(query),
    breakdown: readBreakdown(query['breakdown']),
    slices: slices === undefined ? null : objects(slices).map(readSlice),
    children: objects(query['children']).map(readQuery),
  }
}

function readFetch(node: Wire): FetchProfile {
  return {
    type: String(node['type']),
    description: String(node['description']),
    timeInNanos: number(node['time_in_nanos']),
    breakdown: readBreakdown(node['breakdown']),
    children: objects(node['children']).map(readFetch),
  }
}

function readSlice(slice: Wire): SliceReport {
  return {
    sliceId: number(slice['slice_id']),
    timeInNanos: number(slice['slice_time_in_nanos']),
    worker: number(slice['worker']),
    queueTimeInNanos: number(slice['queue_time_in_nanos']),
    startOffsetInNanos: number(slice['start_offset_in_nanos']),
    partitions: objects(slice['partitions']).map(readPartition),
    breakdown: readBreakdown(slice['breakdown']),
  }
}

function readPartition(partition: Wire): SlicePartition {
  const range = partition['doc_range']
  const [minDoc, maxDoc] = Array.isArray(range) ? range : []
  return {
    segmentOrd: number(partition['segment_ord']),
    minDoc: number(minDoc),
    maxDoc: number(maxDoc),
  }
}

function readKernelSlice(slice: Wire): KernelSlice {
  const reason = slice['reason']
  return {
    sliceId: number(slice['slice_id']),
    worker: number(slice['worker']),
    queueTimeInNanos: number(slice['queue_time_in_nanos']),
    startOffsetInNanos: number(slice['start_offset_in_nanos']),
    timeInNanos: number(slice['time_in_nanos']),
    prepareTimeInNanos: number(slice['prepare_time_in_nanos']),
    primeTimeInNanos: number(slice['prime_time_in_nanos']),
    searchTimeInNanos: number(slice['search_time_in_nanos']),
    mergeTimeInNanos: number(slice['merge_time_in_nanos']),
    executor: slice['executor'] === 'kernel' ? 'kernel' : 'iterator',
    reason: reason === undefined ? null : String(reason),
    leaves: objects(slice['leaves']).map(leaf => ({
      ...readPartition(leaf),
      windows: number(leaf['windows']),
      windowsSkipped: number(leaf['windows_skipped']),
      blocksDecoded: number(leaf['blocks_decoded']),
      blocksSkipped: number(leaf['blocks_skipped']),
      postingsScored: number(leaf['postings_scored']),
      positionsChecked: number(leaf['positions_checked']),
      candidates: number(leaf['candidates']),
    })),
  }
}

function readCollector(collector: Wire): CollectorProfile {
  const reduceTime = collector['reduce_time_in_nanos']
  const sliceCount = collector['slice_count']
  return {
    name: String(collector['name']),
    reason: String(collector['reason']),
    timeInNanos: number(collector['time_in_nanos']),
    reduceTimeInNanos: reduceTime === undefined ? null : number(reduceTime),
    sliceTimes: readSliceTimes(collector),
    sliceCount: sliceCount === undefined ? null : number(sliceCount),
    children: objects(collector['children']).map(readCollector),
  }
}

function readSliceTimes(node: Wire): SliceTimes | null {
  if (node['max_slice_time_in_nanos'] === undefined) return null
  return {
    maxInNanos: number(node['max_slice_time_in_nanos']),
    minInNanos: number(node['min_slice_time_in_nanos']),
    avgInNanos: number(node['avg_slice_time_in_nanos']),
  }
}

function readBreakdown(wire: unknown): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(asObject(wire)).map(([key, value]) => [key, number(value)]),
  )
}

function asObject(value: unknown): Wire {
  return typeof value === 'object' && value !== null ? (value as Wire) : {}
}

function objects(value: unknown): readonly Wire[] {
  return Array.isArray(value) ? value.map(asObject) : []
}

function number(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
