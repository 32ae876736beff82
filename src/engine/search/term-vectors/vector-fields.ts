/** The fields of a document that have vectors, and their values in its source. */
import type { VectorParts } from '../../../schema/field-storage.ts'
import type { FieldType } from '../../../schema/field-type.ts'
import type { Mapping } from '../../../schema/mapping.ts'
import { sourcePaths, valuesAt } from '../../../schema/source-values.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import type { TermVectorsCall } from '../../api/term-vectors.ts'
import { scalarText } from '../../dsl/json-scalars.ts'
import type { VectorField } from './document-terms.ts'

/** A field whose vector is asked for. */
export interface AskedField {
  readonly field: VectorField
  /** Name of an analyzer in place of the field's own; null: its own. */
  readonly override: string | null
  readonly parts: VectorParts
}

/** Parts of vectors that a mapping keeps, by its `term_vector`. */
const KEPT_PARTS: Readonly<Record<string, VectorParts>> = {
  yes: { positions: false, offsets: false, payloads: false },
  with_positions: { positions: true, offsets: false, payloads: false },
  with_offsets: { positions: false, offsets: true, payloads: false },
  with_positions_offsets: { positions: true, offsets: true, payloads: false },
  with_positions_payloads: { positions: true, offsets: false, payloads: true },
  with_positions_offsets_payloads: { positions: true, offsets: true, payloads: true },
}

/** Those of vectors that are made for a request. */
const MADE_PARTS: VectorParts = { positions: true, offsets: true, payloads: false }

/**
 * The fields that a call asks for, in order of name. A field whose mapping keeps vectors gives what it
 * keeps, unless the call brings its analyzer or the document.
 */
export function askedFields(
  { fields: names, analyzers, doc }: Pick<TermVectorsCall, 'fields' | 'analyzers' | 'doc'>,
  mapping: Mapping,
): readonly AskedField[] {
  const all = names ?? (doc === null ? withDerived(mapping) : mapping.names())
  const fields = new Set(
    all.flatMap(name => mapping.namesLike(name).map(each => mapping.field(each))),
  )
  const asked: AskedField[] = []
  for (const field of fields) {
    if (field === null || !hasTerms(field)) continue
    const override = analyzers.get(field.name) ?? null
    const kept = KEPT_PARTS[String(field.parameters.get('term_vector') ?? 'no')] ?? null
    const isInDocument = isInRoot(field.name, mapping)
    const isKept = kept !== null && isInDocument
    if (doc === null && isKept && override === null) asked.push({ field, override, parts: kept })
    else if (doc === null ? names !== null || isKept : isInDocument)
      asked.push({ field, override, parts: MADE_PARTS })
  }
  return asked.sort((a, b) => (a.field.name < b.field.name ? -1 : 1))
}

/** The names of all fields, each with those of the fields that are derived from it. */
function withDerived(mapping: Mapping): readonly string[] {
  return mapping
    .names()
    .flatMap(name => [name, ...(mapping.field(name)?.derived ?? []).map(each => each.name)])
}

/** Whether a field belongs to the whole document, not to nested ones alone. */
function isInRoot(path: string, mapping: Mapping): boolean {
  const around = mapping.nestedAround(path)
  if (around === null) return true
  const { includeInRoot, includeInParent } = mapping.object(around)!.nested!
  return includeInRoot === true || (includeInParent === true && isInRoot(around, mapping))
}

function hasTerms(field: FieldType): field is FieldType & VectorField {
  const { type, indexed } = field
  const isText = type === 'text' || type === 'match_only_text' || type === 'search_as_you_type'
  return indexed && (isText || type === 'keyword' || type === 'wildcard')
}

/** The values of a field in a document, in the order in which they were indexed. */
export function fieldValues(root: JsonNode, field: VectorField, mapping: Mapping): string[] {
  // A multi-field gets the values of its parent, those too that are copied to it.
  const paths = sourcePaths(field, mapping)
  const nodes = paths.flatMap(path => valuesAt(root, path, false))
  if (paths.length > 1) nodes.sort((a, b) => a.line - b.line || a.col - b.col)
  return nodes.flatMap(node => textIn(node, field) ?? [])
}

/** The text of a value; null where it has no terms. */
function textIn(node: JsonNode, field: VectorField): string | null {
  if ('analyzer' in field) return scalarText(node)
  const text = node.kind === 'null' ? field.nullValue : scalarText(node)
  return text === null || text.length > field.ignoreAbove ? null : text
}
