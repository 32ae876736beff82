/**
 * The documents of one shard that are not sealed yet, in one write worker. Documents take slots in
 * order of arrival; numbers (sequence number, version, term) come with the seal.
 */
import type { Analyzer } from '../analysis/analyzer/analyzer.ts'
import type { Normalizer } from '../analysis/normalizer.ts'
import type { AnalysisRegistry } from '../analysis/registry.ts'
import {
  doubleToSortable,
  floatToSortable,
  halfFloatToSortable,
  sortable,
} from '../codec/doc-values/sortable.ts'
import type { ValueKind } from '../codec/doc-values/writer.ts'
import { type FieldType, isNumericType } from '../schema/field-type.ts'
import type { Mapping } from '../schema/mapping.ts'
import { IGNORED_FIELD, OPERATIONS, type ParsedDocument } from '../schema/parsed-document.ts'
import { ByteWriter } from '../util/byte-writer.ts'
import { encodeUtf8 } from '../util/bytes.ts'
import { BufferMemory } from './buffer-memory.ts'
import { ByteLog } from './byte-log.ts'
import { FieldBuffer, type FieldBufferOptions } from './field-buffer.ts'
import { makeRoom } from './term-log.ts'

/** How a mapped field goes into the buffer. */
interface FieldPlan {
  readonly field: FieldType
  readonly buffer: FieldBuffer
  readonly analyzer: Analyzer | null
  readonly normalizer: Normalizer | null
  /** Positions between two values of one document. */
  readonly gap: number
  /** Its name goes to `_field_names`: nothing else says which documents have it. */
  readonly isNamed: boolean
  readonly nameBytes: Uint8Array
}

const TRUE = encodeUtf8('T')
const FALSE = encodeUtf8('F')

const KEYWORD_COLUMN: Omit<FieldBufferOptions, 'name'> = {
  indexOptions: 'docs',
  hasNorms: false,
  docValues: 'ordinals',
  valueKind: 'ordinal',
  hasPoints: false,
}

let memoryOfThread: BufferMemory | null = null

/** The memory that all buffers of this thread share, made when it is first asked for. */
export function bufferMemory(): BufferMemory {
  memoryOfThread ??= new BufferMemory(makeRoom)
  return memoryOfThread
}

/** Documents on their way into a segment; to be released when it is no longer needed. */
export class InvertedBuffer {
  /** Where its bytes lie. */
  readonly memory: BufferMemory = bufferMemory()
  /** By name; the seal reads them. */
  readonly fields: Map<string, FieldBuffer> = new Map()
  /** UTF-8 of the slots' ids, one after another; slot i's starts at `idOffsets[i]`. */
  readonly ids: ByteWriter = new ByteWriter(256)
  readonly idOffsets: ByteWriter = new ByteWriter(256)
  /** The slots' sources, one after another; slot i's starts at `sourceOffsets[i]`. */
  readonly sources: ByteLog
  readonly sourceOffsets: ByteWriter = new ByteWriter(256)
  #slotCount = 0
  #mapping: Mapping | null = null
  #plans: readonly FieldPlan[] = []
  readonly #touched: FieldBuffer[] = []
  #isReleased = false

  constructor() {
    this.sources = new ByteLog(this.memory)
  }

  /** How many documents there are. */
  get slotCount(): number {
    return this.#slotCount
  }

  /** About how many bytes of memory the buffer takes. */
  get bytes(): number {
    let total = this.ids.length + this.sources.length + 8 * this.#slotCount
    for (const field of this.fields.values()) total += field.bytes
    return total
  }

  /** Gives its memory back; it is then of no use. */
  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.sources.release()
    for (const field of this.fields.values()) field.tokens.release()
  }

  /**
   * Sets the mapping that the following documents were parsed with.
   * @param registry of the index: its analyzers and normalizers
   */
  useMapping(mapping: Mapping, registry: AnalysisRegistry): void {
    if (this.#mapping === mapping) return
    this.#mapping = mapping
    this.#plans = mapping.leaves.map(field => this.#plan(field, registry))
  }

  /**
   * Adds a document that was parsed with the current mapping.
   * @returns its slot
   * @throws {EngineError} a term that is too long; the buffer is then as it was
   */
  addDocument(document: ParsedDocument, id: string, routing: string | null): number {
    const slot = this.#slotCount
    const touched = this.#touched
    touched.length = 0
    const sourceStart = this.sources.length
    try {
      for (let i = 0; i < document.count; i++) this.#apply(document, i, slot)
      if (routing !== null) {
        const bytes = encodeUtf8(routing)
        this.#column('_routing', slot).keyword(bytes, 0, bytes.length)
      }
      this.sources.append(document.source, document.sourceStart, document.sourceEnd)
    } catch (error) {
      for (const field of touched) field.dropDocument()
      throw error
    }
    this.sourceOffsets.u32(sourceStart)
    const idBytes = encodeUtf8(id)
    this.idOffsets.u32(this.ids.length)
    this.ids.bytes(idBytes)
    this.#slotCount = slot + 1
    return slot
  }

  #apply(document: ParsedDocument, operation: number, slot: number): void {
    const kind = document.kinds[operation]!
    const ordinal = document.fields[operation]!
    const a = document.a[operation]!
    const b = document.b[operation]!
    if (ordinal === IGNORED_FIELD) {
      this.#column('_ignored', slot).keyword(document.scratch, a, b)
      return
    }
    const plan = this.#plans[ordinal]!
    const { buffer } = plan
    const isFirst = buffer.startDocument(slot)
    if (isFirst) {
      this.#touched.push(buffer)
      if (plan.isNamed)
        this.#column('_field_names', slot).keyword(plan.nameBytes, 0, plan.nameBytes.length)
    }
    switch (kind) {
      case OPERATIONS.text:
        this.#text(plan, document.source, a, b)
        return
      case OPERATIONS.scratchText:
        this.#text(plan, document.scratch, a, b)
        return
      case OPERATIONS.keyword:
        this.#keyword(plan, document.source, a, b)
        return
      case OPERATIONS.scratchKeyword:
        this.#keyword(plan, document.scratch, a, b)
        return
      case OPERATIONS.double:
        this.#double(plan, document.values[operation]!)
        return
      default:
        buffer.number(a, b)
        if (plan.field.type === 'boolean' && plan.field.indexed) {
          const term = b === 0 ? FALSE : TRUE
          buffer.keyword(term, 0, term.length)
        }
    }
  }

  #text(plan: FieldPlan, bytes: Uint8Array, start: number, end: number): void {
    const { buffer } = plan
    buffer.position =
      plan.analyzer!.analyzeBytes(bytes, start, end, buffer.position, buffer) + plan.gap
  }

  #keyword(plan: FieldPlan, bytes: Uint8Array, start: number, end: number): void {
    const { normalizer } = plan
    if (normalizer === null) {
      plan.buffer.keyword(bytes, start, end)
      return
    }
    const length = normalizer.normalize(bytes, start, end)
    plan.buffer.keyword(normalizer.output, 0, length)
  }

  #double(plan: FieldPlan, value: number): void {
    const { type } = plan.field
    if (type === 'double') {
      doubleToSortable(value)
      plan.buffer.number(sortable.hi, sortable.lo)
    } else {
      const int = type === 'float' ? floatToSortable(value) : halfFloatToSortable(value)
      plan.buffer.number(int < 0 ? -1 : 0, int >>> 0)
    }
  }

  /** A metadata column of keywords; the document is noted in it. */
  #column(name: string, slot: number): FieldBuffer {
    let field = this.fields.get(name)
    if (field === undefined) {
      const docValues = name === '_field_names' ? 'none' : 'ordinals'
      field = new FieldBuffer({ name, ...KEYWORD_COLUMN, docValues }, this.memory)
      this.fields.set(name, field)
    }
    if (field.startDocument(slot)) this.#touched.push(field)
    return field
  }

  #plan(field: FieldType, registry: AnalysisRegistry): FieldPlan {
    let buffer = this.fields.get(field.name)
    if (buffer === undefined) {
      buffer = new FieldBuffer(fieldBufferOptions(field), this.memory)
      this.fields.set(field.name, buffer)
    } else if (buffer.hasNorms && !field.norms) buffer.turnNormsOff()
    const isText = field.type === 'text'
    const analyzer = isText ? analyzerOf(field, registry) : null
    // What the mapping says goes first, then a custom analyzer's own gap.
    const isGapGiven = field.parameters.has('position_increment_gap')
    const gap =
      !isGapGiven && analyzer?.isCustom === true
        ? analyzer.positionIncrementGap
        : field.positionIncrementGap
    return {
      field,
      buffer,
      analyzer,
      normalizer: field.normalizer === null ? null : registry.normalizer(field.normalizer),
      gap,
      isNamed: !field.norms && !field.docValues,
      nameBytes: encodeUtf8(field.name),
    }
  }
}

function analyzerOf(field: FieldType, registry: AnalysisRegistry): Analyzer {
  const named = field.analyzer === null ? null : registry.analyzer(field.analyzer)
  return named ?? registry.defaultAnalyzer
}

/** What of a field the segment keeps, by its mapping. */
function fieldBufferOptions(field: FieldType): FieldBufferOptions {
  const isNumeric = isNumericType(field.type)
  const docValues = !field.docValues ? 'none' : isNumeric ? 'numeric' : 'ordinals'
  return {
    name: field.name,
    indexOptions: field.indexOptions,
    hasNorms: field.norms,
    docValues: field.type === 'text' ? 'none' : docValues,
    valueKind: valueKindOf(field),
    hasPoints: isNumeric && field.indexed && field.type !== 'boolean',
  }
}

function valueKindOf(field: FieldType): ValueKind {
  switch (field.type) {
    case 'double':
    case 'float':
    case 'half_float':
      return field.type
    case 'text':
    case 'keyword':
      return 'ordinal'
    default:
      return 'long'
  }
}
