/** The table of storage kinds: how a buffer takes the values of a field, and what its texts become. */
import type { FieldAnalysis } from '../analysis/analyze.ts'
import type { AnalysisRegistry } from '../analysis/registry.ts'
import type { FieldStorage, TermStorage } from '../schema/field-storage.ts'
import type { Mapping } from '../schema/mapping.ts'
import { CompletionWriter } from './completion-writer.ts'
import type { FieldBuffer, FieldBufferOptions } from './field-buffer.ts'
import {
  AddressWriter,
  ByteStringWriter,
  CountWriter,
  FeatureWriter,
  FlagWriter,
  FloatWriter,
  LongWriter,
  TermWriter,
  TokenWriter,
  tokenAnalyzer,
  type ValueWriter,
  VectorWriter,
} from './value-writer.ts'
import { VectorTokenWriter } from './vector-token-writer.ts'

/** All that differs between storage kinds. */
interface StorageKind<S extends FieldStorage> {
  options(storage: S): Omit<FieldBufferOptions, 'name' | 'indexOptions' | 'hasNorms' | 'docValues'>
  /**
   * @param registry of the index: its analyzers and normalizers
   * @param mapping  has the fields that this one names
   */
  writer(storage: S, buffer: FieldBuffer, registry: AnalysisRegistry, mapping: Mapping): ValueWriter
  /** Of texts that are given as values of the field; null: `_analyze` takes none. */
  analysis(storage: S, registry: AnalysisRegistry): FieldAnalysis | null
}

const NO_ANALYSIS = (): null => null

const STORAGE_KINDS: {
  readonly [K in FieldStorage['kind']]: StorageKind<Extract<FieldStorage, { kind: K }>>
} = {
  tokens: {
    options: ({ vectors }) => ({ valueKind: 'ordinal', hasPoints: false, vectors }),
    writer: (storage, buffer, registry) =>
      buffer.vectors === null
        ? new TokenWriter(storage, buffer, registry)
        : new VectorTokenWriter(buffer, buffer.vectors, tokenAnalyzer(storage, registry)),
    analysis: (storage, registry) => ({
      kind: 'analyzer',
      analyzer: tokenAnalyzer(storage, registry).analyzer,
    }),
  },
  terms: {
    options: () => ({ valueKind: 'ordinal', hasPoints: false }),
    writer: (storage, buffer, registry) => new TermWriter(storage, buffer, registry),
    analysis: termAnalysis,
  },
  longs: {
    options: storage => ({ valueKind: 'long', hasPoints: storage.hasPoints }),
    writer: (_storage, buffer) => new LongWriter(buffer),
    analysis: NO_ANALYSIS,
  },
  floats: {
    options: storage => ({ valueKind: storage.floatKind, hasPoints: storage.hasPoints }),
    writer: (storage, buffer) => new FloatWriter(storage, buffer),
    analysis: NO_ANALYSIS,
  },
  flags: {
    options: () => ({ valueKind: 'long', hasPoints: false }),
    writer: (storage, buffer) =>
      storage.indexOptions === 'none' ? new LongWriter(buffer) : new FlagWriter(buffer),
    analysis: NO_ANALYSIS,
  },
  addresses: {
    options: storage => ({ valueKind: 'ordinal', hasPoints: storage.hasPoints }),
    writer: (_storage, buffer) => new AddressWriter(buffer),
    analysis: NO_ANALYSIS,
  },
  bytes: {
    // The integers of such a field have no meaning: there are none.
    options: () => ({ valueKind: 'long', hasPoints: false, takesBytes: true }),
    writer: (_storage, buffer) => new ByteStringWriter(buffer),
    analysis: NO_ANALYSIS,
  },
  intervals: {
    options: ({ hasBoxes, endWords }) => ({
      valueKind: 'long',
      hasPoints: false,
      takesBytes: true,
      boxWords: hasBoxes ? endWords : 0,
    }),
    writer: (_storage, buffer) => new ByteStringWriter(buffer),
    analysis: NO_ANALYSIS,
  },
  places: {
    options: ({ hasBoxes }) => ({
      valueKind: 'long',
      hasPoints: false,
      boxWords: hasBoxes ? 1 : 0,
    }),
    writer: (_storage, buffer) => new LongWriter(buffer),
    analysis: NO_ANALYSIS,
  },
  counts: {
    options: storage => ({ valueKind: 'long', hasPoints: storage.hasPoints }),
    writer: (storage, buffer, registry) => new CountWriter(storage, buffer, registry),
    analysis: NO_ANALYSIS,
  },
  features: {
    options: () => ({ valueKind: 'ordinal', hasPoints: false }),
    writer: (_storage, buffer) => new FeatureWriter(buffer),
    analysis: NO_ANALYSIS,
  },
  shapes: {
    // The integers of such a field have no meaning: there are none.
    options: () => ({ valueKind: 'long', hasPoints: false, takesTriangles: true }),
    writer: (_storage, buffer) => new ByteStringWriter(buffer),
    analysis: NO_ANALYSIS,
  },
  vectors: {
    // The integers of such a field have no meaning: there are none.
    options: ({ element, dimension, method }) => ({
      valueKind: 'long',
      hasPoints: false,
      denseVectors: { element, dimension, method },
    }),
    writer: (_storage, buffer) => new VectorWriter(buffer),
    analysis: NO_ANALYSIS,
  },
  completions: {
    // The integers of such a field have no meaning: there are none.
    options: ({ contexts }) => ({
      valueKind: 'long',
      hasPoints: false,
      completions: { hasContexts: contexts.length > 0 },
    }),
    writer: (storage, buffer, registry, mapping) =>
      new CompletionWriter(storage, buffer, registry, mapping),
    analysis: (storage, registry) => ({
      kind: 'analyzer',
      analyzer: registry.analyzer(storage.analyzer) ?? registry.defaultAnalyzer,
    }),
  },
}

function storageKind(storage: FieldStorage): StorageKind<FieldStorage> {
  return STORAGE_KINDS[storage.kind]
}

/** The buffer options of a field's storage. */
export function fieldBufferOptions(name: string, storage: FieldStorage): FieldBufferOptions {
  const { indexOptions, hasNorms, docValues } = storage
  return { name, indexOptions, hasNorms, docValues, ...storageKind(storage).options(storage) }
}

/**
 * Makes the writer of a field's values.
 * @param registry of the index: its analyzers and normalizers
 * @param mapping  of the index
 */
export function valueWriter(
  storage: FieldStorage,
  buffer: FieldBuffer,
  registry: AnalysisRegistry,
  mapping: Mapping,
): ValueWriter {
  return storageKind(storage).writer(storage, buffer, registry, mapping)
}

/**
 * The analysis of texts that are given as values of a field; null: its storage takes no texts.
 * @param registry of the index
 */
export function fieldAnalysis(
  storage: FieldStorage,
  registry: AnalysisRegistry,
): FieldAnalysis | null {
  return storageKind(storage).analysis(storage, registry)
}

function termAnalysis(storage: TermStorage, registry: AnalysisRegistry): FieldAnalysis | null {
  const normalizer = storage.normalizer === null ? null : registry.normalizer(storage.normalizer)
  if (normalizer !== null) return { kind: 'normalizer', normalizer }
  const analyzer = registry.analyzer('keyword')
  return analyzer === null ? null : { kind: 'analyzer', analyzer }
}
