/**
 * Grows a mapping by the fields that documents bring. Each level of objects is copied once, however
 * many fields go to it, so the cost is that of the fields and of the levels that they touch.
 */
import { EngineError, type ErrorRecord } from '../util/errors.ts'
import type { JsonObjectNode } from '../util/json/json-tree.ts'
import { isFieldAlias } from './field-alias.ts'
import { depthError, parseNamedEntry } from './field-parser.ts'
import { isObjectType, type MappingEntry, type ObjectType } from './field-type.ts'
import { Mapping } from './mapping.ts'
import { checkMapping, type MappingContext, tooManyFields } from './mapping-parser.ts'

/** A field that a document brought first: where, and as what the dynamic rules map it. */
export interface FieldProposal {
  /** Full path; the objects on the way are made when they are missing. */
  readonly path: string
  readonly definition: JsonObjectNode
}

/**
 * Adds the fields that documents brought, in order; one whose path is taken by then is passed over,
 * so that of two proposals for one field the first wins.
 * @throws {EngineError} a limit is exceeded, or a definition is refused
 */
export function addProposals(
  mapping: Mapping,
  proposals: readonly FieldProposal[],
  context: MappingContext,
): Mapping {
  const growth = new Growth(mapping, context)
  for (const { path, definition } of proposals) growth.add(path, definition)
  if (!growth.hasGrown) return mapping
  const grown = new Mapping({ ...mapping.root, children: growth.root }, mapping.options)
  checkMapping(grown, context.limits)
  return grown
}

/**
 * Adds the fields of several documents, those of each all or none.
 * @param fields in order of document; the first document has number 0
 * @returns the mapping, and why the first document's fields were refused
 */
export function addDocumentFields(
  mapping: Mapping,
  fields: readonly (FieldProposal & { readonly document: number })[],
  context: MappingContext,
): { readonly mapping: Mapping; readonly refusal: ErrorRecord | null } {
  let grown = mapping
  let refusal: ErrorRecord | null = null
  for (let start = 0; start < fields.length; ) {
    const { document } = fields[start]!
    let end = start + 1
    while (end < fields.length && fields[end]!.document === document) end++
    try {
      grown = addProposals(grown, fields.slice(start, end), context)
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      // A later document proposes its fields again, and is refused as the first one then.
      if (document === 0) refusal = error.record
    }
    start = end
  }
  return { mapping: grown, refusal }
}

type Level = Map<string, MappingEntry>

/** The levels of a mapping, copied where a field is added. */
class Growth {
  root: ReadonlyMap<string, MappingEntry>
  readonly #rootObject: ObjectType
  hasGrown = false
  readonly #context: MappingContext
  /** Copies, which may be changed. */
  readonly #copies = new Set<ReadonlyMap<string, MappingEntry>>()
  #fieldCount: number

  constructor(mapping: Mapping, context: MappingContext) {
    this.#context = context
    this.#fieldCount = mapping.fieldCount
    this.root = mapping.root.children
    this.#rootObject = mapping.root
  }

  add(path: string, definition: JsonObjectNode): void {
    const parts = namesTo({ ...this.#rootObject, children: this.root }, path)
    if (isTaken(this.root, parts)) return
    const { depth } = this.#context.limits
    this.#checkCount(1)
    let level = this.#ownRoot()
    let name = ''
    for (let i = 0; i < parts.length - 1; i++) {
      name = i === 0 ? parts[0]! : `${name}.${parts[i]}`
      if (i + 2 > depth) throw depthError(depth, name)
      level = this.#levelBelow(level, parts[i]!, name)
    }
    const last = parts.length - 1
    const entry = parseNamedEntry(definition, path, parts[last]!, last, this.#context)
    this.#count(countOf(entry))
    level.set(parts[last]!, entry)
  }

  #ownRoot(): Level {
    if (!this.#copies.has(this.root)) {
      this.root = new Map(this.root)
      this.#copies.add(this.root)
    }
    return this.root as Level
  }

  /** The object of that name, as a level that may be changed; made when it is missing. */
  #levelBelow(level: Level, part: string, name: string): Level {
    const existing = level.get(part)
    if (existing === undefined) this.#count(1)
    const object = existing !== undefined && isObjectType(existing) ? existing : newObject(name)
    if (this.#copies.has(object.children)) return object.children as Level
    const children: Level = new Map(object.children)
    this.#copies.add(children)
    level.set(part, { ...object, children })
    return children
  }

  #count(added: number): void {
    this.#checkCount(added)
    this.hasGrown = true
    this.#fieldCount += added
  }

  /** Before each field and not only at the end: a refused document costs no more than the limit. */
  #checkCount(added: number): void {
    const { totalFields } = this.#context.limits
    if (this.#fieldCount + added > totalFields) throw tooManyFields(totalFields)
  }
}

function newObject(name: string): ObjectType {
  const children = new Map<string, MappingEntry>()
  return { name, dynamic: null, enabled: null, nested: null, disableObjects: null, children }
}

/** The names on the way to a path: the last one has dots within an object that takes no objects. */
function namesTo(root: ObjectType, path: string): readonly string[] {
  const parts = path.split('.')
  let object: ObjectType | null = root
  for (let i = 0; object !== null; i++) {
    if (object.disableObjects === true) return [...parts.slice(0, i), parts.slice(i).join('.')]
    const entry: MappingEntry | undefined = object.children.get(parts[i] ?? '')
    object = entry !== undefined && isObjectType(entry) ? entry : null
  }
  return parts
}

/** Whether there is an entry at the path, or a field on the way. */
function isTaken(root: ReadonlyMap<string, MappingEntry>, parts: readonly string[]): boolean {
  let level = root
  for (const part of parts) {
    const entry = level.get(part)
    if (entry === undefined) return false
    if (!isObjectType(entry)) return true
    level = entry.children
  }
  return true
}

/** The count of an entry for the limit; the depth of objects was bounded when it was read. */
function countOf(entry: MappingEntry): number {
  if (isFieldAlias(entry)) return 1
  const below = isObjectType(entry) ? [...entry.children.values()] : entry.multiFields
  const own = isObjectType(entry) ? 1 : 1 + entry.derived.length
  return below.reduce((count, each) => count + countOf(each), own)
}
