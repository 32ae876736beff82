/** A text's tokens. */
import type { CallContext } from '../../task/call-context.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { JsonValue } from '../../util/json/json-value.ts'
import type { FailedShard, ShardCounts, Target } from './target.ts'

/** Checked for types and for what excludes what; names are looked up by the engine. */
export interface AnalyzeCall {
  readonly index: string | null
  readonly text: readonly string[]
  readonly analyzer: string | null
  readonly normalizer: string | null
  readonly field: string | null
  /** A string or an object node each; null or empty when absent. */
  readonly tokenizer: JsonNode | null
  readonly filter: readonly JsonNode[]
  readonly charFilter: readonly JsonNode[]
  readonly explain: boolean
  readonly attributes: readonly string[]
  /** The answer may be one that was given before, and is kept for the next time. */
  readonly isCached: boolean
}

/** Analyzers of searches that were read again. */
export interface ReloadedAnalyzers {
  readonly counts: ShardCounts
  readonly failures: readonly FailedShard[]
  /** Of indices whose analyzers could all be read; names of those that may change. */
  readonly indices: readonly { readonly index: string; readonly analyzers: readonly string[] }[]
}

/** Calls that analyse text. */
export interface AnalysisApi {
  /** `{tokens}` or `{detail}` in wire form. */
  analyze(call: AnalyzeCall, context: CallContext): Promise<JsonValue>
  /** Reads the files of analyzers that may change again; searches that have begun keep theirs. */
  reload(target: Target, context: CallContext): Promise<ReloadedAnalyzers>
}
