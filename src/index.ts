/** Lamella for embedding: open a database, take an index, write, search. */

export { AbortError } from './embed/abort-error.ts'
export type { AggregationAnswers, AggregationRequests } from './embed/aggregations.ts'
export type { AliasChange, AliasNames, AliasOptions } from './embed/alias-changes.ts'
export type {
  CharFilterPlugin,
  TokenFilterPlugin,
  TokenizerPlugin,
} from './embed/analysis-plugins.ts'
export {
  registerCharFilter,
  registerTokenFilter,
  registerTokenizer,
} from './embed/analysis-plugins.ts'
export type { BulkFailure, BulkOperation, BulkOptions, BulkProgress } from './embed/bulk-load.ts'
export { BulkLoad } from './embed/bulk-load.ts'
export type { Clause } from './embed/clause.ts'
export type {
  ApiRequest,
  ApiResponse,
  DatabaseOptions,
  IndexOptions,
  SettingsOptions,
} from './embed/database.ts'
export { Database } from './embed/database.ts'
export type {
  EmbedCall,
  Embedding,
  Embeddings,
  EmbedPurpose,
  EmbedTexts,
  Vectors,
} from './embed/embedding.ts'
export type { Highlight, HighlightField, HighlightOptions } from './embed/highlight-body.ts'
export type {
  BoundMode,
  Combination,
  DeviationScoring,
  HybridScoring,
  HybridSearch,
  LowerBound,
  MinMaxScoring,
  NormScoring,
  RankScoring,
  UpperBound,
} from './embed/hybrid-search.ts'
export type {
  Document,
  GetOptions,
  PutOptions,
  WriteOptions,
  Written,
} from './embed/index-handle.ts'
export { Index } from './embed/index-handle.ts'
export type { ErrorCause } from './embed/lamella-error.ts'
export { LamellaError } from './embed/lamella-error.ts'
export type { OpenOptions } from './embed/open.ts'
export { open } from './embed/open.ts'
export type {
  CollectorProfile,
  FetchProfile,
  KernelLeaf,
  KernelSlice,
  ProfileReport,
  QueryProfile,
  ShardProfile,
  SlicePartition,
  SliceReport,
  SliceTimes,
} from './embed/profile-report.ts'
export type { ReindexOptions, ReindexProgress, RemoteSource } from './embed/reindex.ts'
export { Reindex } from './embed/reindex.ts'
export type { RunningServer, ServeOptions } from './embed/running-server.ts'
export type { ScannedHit, ScanOptions } from './embed/scan.ts'
export type {
  Collapse,
  FieldSelection,
  Rescore,
  SearchRequest,
  SourceSelection,
} from './embed/search-body.ts'
export type { CountOptions, SearchOptions } from './embed/search-options.ts'
export type {
  Explanation,
  Hit,
  InnerHits,
  NestedPlace,
  ProcessorResult,
  SearchResult,
  SearchShards,
  Total,
} from './embed/search-result.ts'
export type { SettingInput, SettingInputs } from './embed/setting-values.ts'
export type { SnapshotProgress } from './embed/snapshot-run.ts'
export { SnapshotRun } from './embed/snapshot-run.ts'
export type {
  RepositoryOptions,
  Restored,
  RestoreOptions,
  Snapshot,
  SnapshotStatus,
  TakeOptions,
} from './embed/snapshots.ts'
export { Snapshots } from './embed/snapshots.ts'
export type {
  CompletionSuggester,
  PhraseSuggester,
  SuggestContext,
  SuggestionRequest,
  SuggestionRequests,
  TermSuggester,
} from './embed/suggest-body.ts'
export type { SuggestedText, Suggestions, SuggestOption } from './embed/suggest-result.ts'
export type { TaskInfo, TaskResources, TaskState } from './embed/task-record.ts'
export type { ListTasksOptions, TaskFilter, WaitOptions, WatchOptions } from './embed/tasks.ts'
export { Tasks } from './embed/tasks.ts'
export type {
  DocumentOf,
  FieldParameters,
  Fields,
  FieldTypes,
  Mapping,
  VectorMethodOptions,
  VectorOptions,
  VectorSpaceName,
  VectorType,
} from './embed/typed-mapping.ts'
export { TypedField, TypedMapping, t } from './embed/typed-mapping.ts'
