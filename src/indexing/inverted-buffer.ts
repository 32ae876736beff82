/**
 * The unsealed documents of one shard, in one write worker. Documents take slots in order of
 * arrival; sequence numbers, versions and primary terms come with the seal.
 */
import type { AnalysisRegistry } from '../analysis/registry.ts'
import { storageOf } from '../schema/field-type/field-types.ts'
import type { FieldType } from '../schema/field-type.ts'
import type { Mapping } from '../schema/mapping.ts'
import { DOC_COUNT_FIELD, type ParsedDocument } from '../schema/parsed-document.ts'
import { filterSource, type KeptSource } from '../schema/source-filter.ts'
import { storedPart } from '../schema/stored-part.ts'
import { ByteWriter } from '../util/byte-writer.ts'
import { encodeUtf8 } from '../util/bytes.ts'
import { BufferMemory } from './buffer-memory.ts'
import { ByteLog } from './byte-log.ts'
import { FieldBuffer, type FieldBufferOptions } from './field-buffer.ts'
import { fieldBufferOptions, valueWriter } from './storage-kinds.ts'
import { makeRoom } from './term-log.ts'
import type { ValueWriter } from './value-writer.ts'

/** How a mapped field is buffered. */
interface FieldPlan {
  readonly buffer: FieldBuffer
  readonly writer: ValueWriter
  /** Its name is added to `_field_names`: the field has neither norms nor doc values. */
  readonly isNamed: boolean
  readonly nameBytes: Uint8Array
}

const KEYWORD_COLUMN: Omit<FieldBufferOptions, 'name'> = {
  indexOptions: 'docs',
  hasNorms: false,
  docValues: 'ordinals',
  valueKind: 'ordinal',
  hasPoints: false,
}

const NUMBER_COLUMN: Omit<FieldBufferOptions, 'name'> = {
  indexOptions: 'none',
  hasNorms: false,
  docValues: 'numeric',
  valueKind: 'long',
  hasPoints: false,
}

let memoryOfThread: BufferMemory | null = null

/** The memory of all buffers of this thread, made on first use. */
export function bufferMemory(): BufferMemory {
  memoryOfThread ??= new BufferMemory(makeRoom)
  return memoryOfThread
}

/** Buffered documents of a future segment; release it when it is no longer needed. */
export class InvertedBuffer {
  /** The memory that holds its bytes. */
  readonly memory: BufferMemory = bufferMemory()
  /** By name; read by the seal. */
  readonly fields: Map<string, FieldBuffer> = new Map()
  /** UTF-8 of the slots' ids, concatenated; slot i's starts at `idOffsets[i]`. */
  readonly ids: ByteWriter = new ByteWriter(256)
  readonly idOffsets: ByteWriter = new ByteWriter(256)
  /**
   * The slots' stored records, concatenated; slot i's starts at `recordOffsets[i]`, its source ends at
   * `sourceEnds[i]`, and what is kept for stored fields follows.
   */
  readonly records: ByteLog
  readonly recordOffsets: ByteWriter = new ByteWriter(256)
  readonly sourceEnds: ByteWriter = new ByteWriter(256)
  /**
   * Documents with nested ones: for each u32 of its first slot and of its own, which is the last.
   * Nested documents have the id of the whole one, and no source.
   */
  readonly blocks: ByteWriter = new ByteWriter(0)
  #slotCount = 0
  #mapping: Mapping | null = null
  #countsOverlaps: (similarity: string | null) => boolean = () => false
  /** Of the mapping; null: stored fields are read from sources. */
  #storedPart: KeptSource | null = null
  #plans: readonly FieldPlan[] = []
  readonly #touched: FieldBuffer[] = []
  #isReleased = false

  constructor() {
    this.records = new ByteLog(this.memory)
  }

  /** Number of documents. */
  get slotCount(): number {
    return this.#slotCount
  }

  /** Estimated bytes of memory. */
  get bytes(): number {
    let total = this.ids.length + this.records.length + 12 * this.#slotCount
    for (const field of this.fields.values()) total += field.bytes
    return total
  }

  /** Frees its memory; it must not be used any more. */
  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.records.release()
    for (const field of this.fields.values()) field.release()
  }

  /**
   * Sets the mapping of the following documents.
   * @param registry       of the index: its analyzers and normalizers
   * @param countsOverlaps whether lengths count overlapping tokens, by the name of a field's similarity
   */
  useMapping(
    mapping: Mapping,
    registry: AnalysisRegistry,
    countsOverlaps: (similarity: string | null) => boolean = () => false,
  ): void {
    if (this.#mapping === mapping) return
    this.#mapping = mapping
    this.#storedPart = storedPart(mapping)
    this.#countsOverlaps = countsOverlaps
    this.#plans = mapping.leaves.map(field => this.#plan(field, registry, mapping))
  }

  /**
   * Adds a document that was parsed with the current mapping, behind its nested documents.
   * @returns its slot
   * @throws {EngineError} a term that is too long; the buffer is then unchanged
   */
  addDocument(document: ParsedDocument, id: string, routing: string | null): number {
    const { nested } = document
    const nestedCount = nested === null ? 0 : nested.documentCount - 1
    const slot = this.#slotCount + nestedCount
    const touched = this.#touched
    touched.length = 0
    const recordStart = this.records.length
    let sourceEnd = recordStart
    try {
      this.#applyAll(document, slot)
      if (routing !== null) {
        const bytes = encodeUtf8(routing)
        this.#column('_routing', slot).keyword(bytes, 0, bytes.length)
      }
      sourceEnd = this.#appendRecord(document)
    } catch (error) {
      for (const field of touched) field.dropDocument()
      throw error
    }
    const idBytes = encodeUtf8(id)
    for (let i = 0; i <= nestedCount; i++) {
      this.recordOffsets.u32(recordStart)
      this.sourceEnds.u32(i === nestedCount ? sourceEnd : recordStart)
      this.idOffsets.u32(this.ids.length)
      this.ids.bytes(idBytes)
    }
    if (nestedCount > 0) {
      this.blocks.u32(slot - nestedCount)
      this.blocks.u32(slot)
    }
    this.#slotCount = slot + 1
    return slot
  }

  /**
   * Inverts a document by a mapping that may never be the index's, and takes it back: the buffer is
   * unchanged.
   * @throws {EngineError} a term that is too long
   */
  tryDocument(document: ParsedDocument, mapping: Mapping, registry: AnalysisRegistry): void {
    const before = this.#mapping
    const part = this.#storedPart
    const plans = this.#plans
    const names = new Set(this.fields.keys())
    const touched = this.#touched
    touched.length = 0
    try {
      this.useMapping(mapping, registry, this.#countsOverlaps)
      this.#applyAll(document, this.#slotCount + (document.nested?.documentCount ?? 1) - 1)
    } finally {
      for (const field of touched) field.dropDocument()
      for (const [name, field] of this.fields) {
        if (names.has(name)) continue
        field.tokens.release()
        this.fields.delete(name)
      }
      this.#mapping = before
      this.#storedPart = part
      this.#plans = plans
    }
  }

  /**
   * Keeps of the source what the mapping says, and behind it what stored fields are read from.
   * @returns where the source ends in `records`
   * @throws {EngineError} as `ByteLog.append`; nothing was appended
   */
  #appendRecord({ source, sourceStart, sourceEnd }: ParsedDocument): number {
    const { records } = this
    const start = records.length
    const keeps = this.#mapping?.options.source ?? null
    if (keeps === null) {
      records.append(source, sourceStart, sourceEnd)
      return records.length
    }
    const whole = source.subarray(sourceStart, sourceEnd)
    const kept = filterSource(whole, keeps)
    const part = this.#storedPart === null ? null : filterSource(whole, this.#storedPart)
    try {
      if (kept !== null) records.append(kept, 0, kept.length)
      const end = records.length
      if (part !== null) records.append(part, 0, part.length)
      return end
    } catch (error) {
      records.truncate(start)
      throw error
    }
  }

  /** @param whole slot of the whole document */
  #applyAll(document: ParsedDocument, whole: number): void {
    const { nested, count } = document
    if (nested === null) {
      for (let i = 0; i < count; i++) this.#apply(document, i, whole, whole)
      return
    }
    const first = whole - nested.documentCount + 1
    nested.pathsInOrder().forEach((path, i) => {
      const bytes = encodeUtf8(path)
      this.#column('_nested_path', first + i).keyword(bytes, 0, bytes.length)
    })
    for (const run of nested.runsInOrder(count))
      for (let i = run.from; i < run.to; i++) this.#apply(document, i, first + run.document, whole)
  }

  #apply(document: ParsedDocument, operation: number, slot: number, whole: number): void {
    const ordinal = document.fields[operation]!
    if (ordinal < 0) {
      this.#applyMetadata(document, operation, whole)
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
    plan.writer.add(document, operation)
  }

  /** Metadata belongs to the whole document. */
  #applyMetadata(document: ParsedDocument, operation: number, whole: number): void {
    const a = document.a[operation]!
    const b = document.b[operation]!
    if (document.fields[operation] === DOC_COUNT_FIELD) this.#docCountColumn(whole).number(a, b)
    else this.#column('_ignored', whole).keyword(document.scratch, a, b)
  }

  /** The column of `_doc_count`, with the document added. */
  #docCountColumn(slot: number): FieldBuffer {
    let field = this.fields.get('_doc_count')
    if (field === undefined) {
      field = new FieldBuffer({ name: '_doc_count', ...NUMBER_COLUMN }, this.memory)
      this.fields.set('_doc_count', field)
    }
    if (field.startDocument(slot)) this.#touched.push(field)
    return field
  }

  /** A metadata column of keywords, with the document added. */
  #column(name: string, slot: number): FieldBuffer {
    let field = this.fields.get(name)
    if (field === undefined) {
      const isList = name === '_field_names' || name === '_nested_path'
      const docValues = isList ? 'none' : 'ordinals'
      field = new FieldBuffer({ name, ...KEYWORD_COLUMN, docValues }, this.memory)
      this.fields.set(name, field)
    }
    if (field.startDocument(slot)) this.#touched.push(field)
    return field
  }

  #plan(field: FieldType, registry: AnalysisRegistry, mapping: Mapping): FieldPlan {
    const { name } = field
    const storage = storageOf(field)
    let buffer = this.fields.get(name)
    if (buffer === undefined) {
      const similarity = 'similarity' in field ? field.similarity : null
      const countsOverlaps = storage.hasNorms && this.#countsOverlaps(similarity)
      const options = fieldBufferOptions(name, storage)
      buffer = new FieldBuffer({ ...options, countsOverlaps }, this.memory)
      this.fields.set(name, buffer)
    } else if (buffer.hasNorms && !storage.hasNorms) buffer.turnNormsOff()
    return {
      buffer,
      writer: valueWriter(storage, buffer, registry, mapping),
      isNamed: !storage.hasNorms && storage.docValues === 'none',
      nameBytes: encodeUtf8(name),
    }
  }
}
